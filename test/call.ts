import { deepEqual, equal } from 'node:assert/strict';
import type { APIGatewayProxyEventV2, APIGatewayProxyStructuredResultV2, Context } from 'aws-lambda';
import type { Contract } from '../shared/http/contract.ts';
import { jsonOf } from '../shared/kit/json-text.ts';
import { contextWith } from './lambda-context.ts';
import { answerMatches } from './openapi-check.ts';

interface Handler {
  (event: never, context: Context): Promise<APIGatewayProxyStructuredResultV2>;
  readonly contract?: Contract;
}

export interface Call {
  readonly routeKey?: string;
  readonly key?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly path?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, string>>;
  /** A string is sent unchanged, bytes in base64; anything else as JSON. */
  readonly body?: unknown;
  /** Time until the function is cut off. */
  readonly remainingMs?: number;
}

export interface Answered {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /** The parsed body. Tests read any field of it, so it is untyped. */
  // biome-ignore lint/suspicious/noExplicitAny: tests compare the answer, they do not compute with it
  readonly body: any;
  readonly text: string;
}

/** Calls an endpoint's Lambda handler as API Gateway would. The answer of a described endpoint must conform to its description, and no cache may keep it. */
export const call = async (
  handler: Handler,
  { routeKey = 'TEST /', key, headers = {}, path, query, body, remainingMs = 25_000 }: Call = {},
): Promise<Answered> => {
  const event: Partial<APIGatewayProxyEventV2> = {
    version: '2.0',
    routeKey,
    rawPath: '/',
    rawQueryString: '',
    headers: { ...(key !== undefined && { 'x-api-key': key }), ...headers },
    requestContext: {
      requestId: 'test-request',
      http: { method: routeKey.split(' ')[0], sourceIp: '203.0.113.7' },
    } as APIGatewayProxyEventV2['requestContext'],
    isBase64Encoded: Buffer.isBuffer(body),
    ...(path && { pathParameters: { ...path } }),
    ...(query && { queryStringParameters: { ...query } }),
    ...(body !== undefined && { body: bodyText(body) }),
  };
  const answer = await handler(
    event as never,
    contextWith(() => remainingMs),
  );
  const text = answer.body ?? '';
  const answered = {
    status: answer.statusCode ?? 0,
    headers: (answer.headers ?? {}) as Record<string, string>,
    body: text === '' ? undefined : JSON.parse(text),
    text,
  };
  if (handler.contract) {
    deepEqual(answerMatches(handler.contract, answered.status, answered.body), []);
    equal(answered.headers['Cache-Control'], 'no-store');
  }
  return answered;
};

const bodyText = (body: unknown): string => {
  if (Buffer.isBuffer(body)) return body.toString('base64');
  return typeof body === 'string' ? body : jsonOf(body);
};
