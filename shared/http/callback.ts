import type { APIGatewayProxyEventV2, APIGatewayProxyStructuredResultV2 } from 'aws-lambda';
import { parseForeign } from '../kit/json-pointer.ts';
import { causeOf, log } from '../kit/log.ts';
import type { Clock } from '../kit/time.ts';
import { failureStatus, retryHeadersOf } from './retry-after.ts';

/** What somebody else's server tells us, as it came. */
export interface Told {
  /** What stands in the path for `{name}`. */
  readonly path: Readonly<Record<string, string | undefined>>;
  readonly query: Readonly<Record<string, string | undefined>>;
  /** By their names in small letters. */
  readonly headers: Readonly<Record<string, string | undefined>>;
  /** Byte for byte, because signatures are over that. */
  readonly body: Buffer;
  readonly nowMs: number;
  /** The fields of the query and, over them, of the body, be it JSON or a form. Numbers are as they were written. */
  document(): unknown;
}

/** How it was taken; with `answer`, heard and answered in these words. */
export type Hearing = 'heard' | 'ignored' | 'forged' | 'forbidden' | 'unknown' | { readonly answer: string };

const endings = { heard: 200, ignored: 202, forged: 401, forbidden: 403, unknown: 404 } as const;

/**
 * A Lambda handler for what providers call back. Whoever calls is a program that looks at the status alone: on a 5xx it comes again. What
 * `hear` throws is logged, and told as `failed` without a word of it.
 */
export const callback =
  (hear: (told: Told) => Promise<Hearing>, clock: Clock = Date.now) =>
  async (event: APIGatewayProxyEventV2): Promise<APIGatewayProxyStructuredResultV2> => {
    const { requestId } = event.requestContext;
    const { status, body, more } = await hear(toldBy(event, clock())).then(takenAs, (thrown: unknown) => {
      log('error', 'request failed', { requestId, ...causeOf(thrown) });
      return { status: failureStatus(thrown), body: 'failed', more: retryHeadersOf(thrown) };
    });
    log('info', 'answered', { requestId, routeKey: event.routeKey, status });
    return {
      statusCode: status,
      headers: {
        'Content-Type': 'text/plain; charset=utf-8',
        'X-Content-Type-Options': 'nosniff',
        'Cache-Control': 'no-store',
        'X-Request-Id': requestId,
        ...more,
      },
      body,
    };
  };

const challenge = { 'WWW-Authenticate': 'Signature realm="callbacks"' };

const takenAs = (hearing: Hearing) => {
  const [status, body] = typeof hearing === 'object' ? [200, hearing.answer] : [endings[hearing], hearing];
  return { status, body, more: hearing === 'forged' ? challenge : {} };
};

const toldBy = (event: APIGatewayProxyEventV2, nowMs: number): Told => {
  const body = Buffer.from(event.body ?? '', event.isBase64Encoded ? 'base64' : 'utf8');
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

const documentOf = (query: Told['query'], text: string): unknown => {
  const json = parseForeign(text);
  if (Array.isArray(json)) return json;
  const fields = typeof json === 'object' ? json : Object.fromEntries(new URLSearchParams(text));
  return { ...query, ...fields };
};
