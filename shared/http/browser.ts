import type { APIGatewayProxyEventV2, APIGatewayProxyStructuredResultV2 } from 'aws-lambda';
import { Fault } from '../kit/fault.ts';
import type { Clock } from '../kit/time.ts';
import { answering } from './answering.ts';
import { browserSecurity } from './browser-security.ts';
import { failureReply, faultReply } from './fault-reply.ts';
import { isFromOwnPage } from './own-page.ts';
import { uncachedPage } from './page.ts';
import { isRead } from './reads.ts';
import { type VisitKind, visitKindOf } from './visit-kind.ts';

/** What is answered to a browser: it goes elsewhere, or gets a page or JSON. */
export type BrowserAnswer = { readonly headers?: Readonly<Record<string, string>> } & (
  | { readonly to: string }
  | { readonly page: string }
  | { readonly status: number; readonly data?: unknown }
  | { readonly refusal: Fault }
);

/**
 * A Lambda handler for what a browser does around a page: it submits a form or follows a link. Nothing of it is cached. Forms and scripts of other
 * sites' pages are refused.
 */
export const browser = (
  act: (event: APIGatewayProxyEventV2, nowMs: number, kind: VisitKind) => Promise<BrowserAnswer>,
  clock?: Clock,
) =>
  answering({
    clock,
    answer: async (event, nowMs) => {
      const isForged = !isRead(event) && isFromOwnPage(event) === false;
      return uncached(replyOf(await (isForged ? forged() : act(event, nowMs, visitKindOf(event)))));
    },
    failed: (thrown, { requestContext }) => uncached(failureReply(thrown, requestContext.requestId)),
  });

const uncached = ({ headers, ...answer }: APIGatewayProxyStructuredResultV2) => ({
  ...answer,
  headers: { 'Cache-Control': 'no-store', 'Referrer-Policy': 'no-referrer', ...headers },
});

const forged = async (): Promise<BrowserAnswer> => ({
  refusal: new Fault('forbidden_scope', 'Browsers may send this only from a page of this service.'),
});

const replyOf = (answer: BrowserAnswer) => {
  const { headers = {} } = answer;
  if ('to' in answer) return { statusCode: 303, headers: { ...headers, Location: answer.to } };
  // Without a referrer, browsers that do not say `sec-fetch-site` would not say either that a form comes from our page.
  if ('page' in answer)
    return uncachedPage(200, answer.page, { ...browserSecurity, 'Referrer-Policy': 'same-origin', ...headers });
  if ('status' in answer)
    return {
      statusCode: answer.status,
      headers: { ...headers, 'Content-Type': 'application/json; charset=utf-8' },
      ...(answer.data !== undefined && { body: JSON.stringify({ data: answer.data }) }),
    };
  return faultReply(answer.refusal, headers);
};
