import type { APIGatewayProxyEventV2 } from 'aws-lambda';
import { formFields } from '../kit/form-fields.ts';
import { parseForeign } from '../kit/json-pointer.ts';
import type { Clock } from '../kit/time.ts';
import type { LimitAddress } from './address-limit.ts';
import { answering } from './answering.ts';
import { bodyBytes } from './encoded-text.ts';
import { failureStatus, retryAfter, retryHeadersOf } from './retry-after.ts';

/** A provider's request, unchanged. */
export interface CallbackRequest {
  /** The values of `{name}` in the path. */
  readonly path: Readonly<Record<string, string | undefined>>;
  readonly query: Readonly<Record<string, string | undefined>>;
  /** By their names in lower case. */
  readonly headers: Readonly<Record<string, string | undefined>>;
  /** The raw bytes, because signatures cover them. */
  readonly body: Buffer;
  readonly nowMs: number;
  /** The fields of the query, overridden by those of the body (JSON or a form). Numbers are as written. */
  document(): unknown;
}

/** The outcome of a callback; with `answer`, it was accepted and is answered with this text. */
export type CallbackOutcome = 'heard' | 'ignored' | 'forged' | 'forbidden' | 'unknown' | { readonly answer: string };

const endings = { heard: 200, ignored: 202, forged: 401, forbidden: 403, unknown: 404 } as const;

/**
 * A Lambda handler for callbacks of providers. They read only the status, and retry on a 5xx. An error of `handle` is logged, and
 * answered as `failed` without details. An address over its `limit` is answered 429, and its call is not handled.
 */
export const callback = (
  handle: (request: CallbackRequest) => Promise<CallbackOutcome>,
  limit: LimitAddress,
  clock?: Clock,
) =>
  answering({
    clock,
    answer: async (event, nowMs) => {
      const waitSeconds = await limit(event, nowMs);
      if (waitSeconds !== undefined) return textReply(429, 'too many requests', retryAfter(waitSeconds));
      const { status, body, more } = replyOf(await handle(requestOf(event, nowMs)));
      return textReply(status, body, more);
    },
    failed: (thrown) => textReply(failureStatus(thrown), 'failed', retryHeadersOf(thrown)),
  });

const textReply = (statusCode: number, body: string, more: Readonly<Record<string, string>>) => ({
  statusCode,
  headers: {
    'Content-Type': 'text/plain; charset=utf-8',
    'X-Content-Type-Options': 'nosniff',
    'Cache-Control': 'no-store',
    ...more,
  },
  body,
});

const challenge = { 'WWW-Authenticate': 'Signature realm="callbacks"' };

const replyOf = (outcome: CallbackOutcome) => {
  const [status, body] = typeof outcome === 'object' ? [200, outcome.answer] : [endings[outcome], outcome];
  return { status, body, more: outcome === 'forged' ? challenge : {} };
};

const requestOf = (event: APIGatewayProxyEventV2, nowMs: number): CallbackRequest => {
  const body = bodyBytes(event);
  const query = event.queryStringParameters ?? {};
  return {
    path: event.pathParameters ?? {},
    query,
    headers: event.headers,
    body,
    nowMs,
    document: () => documentOf(query, body.toString('utf8')),
  };
};

const documentOf = (query: CallbackRequest['query'], text: string): unknown => {
  const json = parseForeign(text);
  if (Array.isArray(json)) return json;
  const fields = typeof json === 'object' ? json : formFields(text);
  return { ...query, ...fields };
};
