import type { APIGatewayProxyEventV2 } from 'aws-lambda';
import { Fault, type FaultCode } from '../kit/fault.ts';
import { formFields } from '../kit/form-fields.ts';
import { newId } from '../kit/id.ts';
import { type Language, languageNamed, preferredLanguage } from '../kit/language.ts';
import type { Clock } from '../kit/time.ts';
import { answering } from './answering.ts';
import { browserSecurity } from './browser-security.ts';
import { bodyBytes, isPercentEncodedUtf8 } from './encoded-text.ts';
import { faults } from './faults.ts';
import { failureStatus, retryHeadersOf } from './retry-after.ts';
import type { Surface } from './surface.ts';
import { type VisitKind, visitKindOf } from './visit-kind.ts';

type Texts = Readonly<Record<string, string | undefined>>;

/** A request of a payer's browser for a page. */
export interface PageVisit extends VisitKind {
  readonly path: Texts;
  readonly query: Texts;
  /** The fields of a form, with replacement characters for what cannot be decoded. */
  readonly form: Texts;
  readonly language: Language;
  /** The one that the payer chose on a page. */
  readonly chosenLanguage: Language | undefined;
  /** The id of the resource that this visit creates. */
  readonly newId: string;
  readonly nowMs: number;
}

export type PageAnswer =
  | {
      readonly html: string;
      /** Where the browser goes on to at once: the gateway, or the merchant. */
      readonly leadsTo?: string;
    }
  /** A redirect with GET to another page of ours or the merchant's. */
  | { readonly seeOther: string };

interface Parts {
  readonly payers: Pick<Surface<object>, 'identify'>;
  /** The page for a refusal. `hasAddress`: it can be had again by GET. A form was sent otherwise. */
  trouble(language: Language, code: FaultCode, hasAddress: boolean): string;
}

/**
 * The security headers of every checkout page: load only our style sheet, run only our script, known by its hash,
 * which may read only from us, allow no framing, send forms only to us, and store no copy. A form's answer is always our own page, so `form-action` lists no gateway.
 */
export const checkoutPageHeaders = {
  'Content-Type': 'text/html; charset=utf-8',
  'Content-Security-Policy':
    "default-src 'none'; style-src 'self'; script-src 'sha256-qXHpqrq4zYiNvmHoyPvETAKFCQyib5DOK1PTv6xecPo='; connect-src 'self'; img-src 'self'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'",
  ...browserSecurity,
  'Referrer-Policy': 'no-referrer',
  'Cache-Control': 'no-store',
} as const;

/** A Lambda handler for a page of the checkout. A thrown error becomes a page too; one that is not a `Fault` is logged, and shown without details. */
export const checkoutPage = (
  show: (visit: PageVisit) => Promise<PageAnswer>,
  { payers, trouble }: Parts,
  clock?: Clock,
) => {
  const refused = (
    code: FaultCode,
    statusCode: number,
    { language }: PageVisit,
    { requestContext: { http } }: APIGatewayProxyEventV2,
  ): Rendered => ({ statusCode, headers: {}, body: trouble(language, code, http.method !== 'POST') });

  return answering({
    clock,
    answer: async (event, nowMs, keep) => {
      const visit = visitOf(event, nowMs);
      const attempt = async (): Promise<Rendered> => {
        const identity = await payers.identify(event, nowMs);
        keep(identity.headers);
        if ('refusal' in identity) throw identity.refusal;
        return rendered(await show(visit));
      };
      const answer = await attempt().catch((thrown: unknown): Rendered => {
        if (!(thrown instanceof Fault)) throw thrown;
        return refused(thrown.code, faults[thrown.code].status, visit, event);
      });
      return answerWith(answer, visit);
    },
    failed: (thrown, event, nowMs) => {
      const visit = visitOf(event, nowMs);
      const answer = refused('internal_error', failureStatus(thrown), visit, event);
      return answerWith({ ...answer, headers: retryHeadersOf(thrown) }, visit);
    },
  });
};

const answerWith = (answer: Rendered, { query, language }: PageVisit) => ({
  ...answer,
  headers: { ...checkoutPageHeaders, ...answer.headers },
  ...(languageNamed(query['lang']) && { cookies: [languageCookie(language)] }),
});

interface Rendered {
  readonly statusCode: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
}

const rendered = (answer: PageAnswer): Rendered => {
  if ('seeOther' in answer) return { statusCode: 303, headers: { Location: answer.seeOther } };
  const { html, leadsTo } = answer;
  return { statusCode: 200, headers: { ...(leadsTo !== undefined && { Refresh: `0; url=${leadsTo}` }) }, body: html };
};

const visitOf = (event: APIGatewayProxyEventV2, nowMs: number): PageVisit => {
  const { headers, cookies = [], pathParameters } = event;
  const query = queryOf(event);
  const chosen = query['lang'] ?? cookies.find((cookie) => cookie.startsWith('lang='))?.slice('lang='.length);
  return {
    path: pathParameters ?? {},
    query,
    form: formOf(event),
    chosenLanguage: languageNamed(chosen),
    language: languageNamed(chosen) ?? preferredLanguage(headers['accept-language'] ?? ''),
    ...visitKindOf(event),
    newId: newId(nowMs),
    nowMs,
  };
};

/** Without the parameters that cannot be decoded: programs that pass on a link add their own. */
const queryOf = ({ rawQueryString }: APIGatewayProxyEventV2): Texts =>
  Object.fromEntries(new URLSearchParams(rawQueryString.split('&').filter(isPercentEncodedUtf8).join('&')));

/** What cannot be decoded becomes replacement characters, which no value of ours contains. */
const formOf = (event: APIGatewayProxyEventV2): Texts => formFields(bodyBytes(event).toString('utf8'));

/** A cookie with the chosen language, for the way to a gateway and back. It is the only cookie. */
const languageCookie = (language: Language): string =>
  `lang=${language}; Path=/checkout; Max-Age=86400; Secure; HttpOnly; SameSite=Lax`;
