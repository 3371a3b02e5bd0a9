import * as z from 'zod';

/** One HTTP answer, not yet sent. Header names are in lower case. */
export interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[]>>;
  readonly body: Buffer;
}

const resultSchema = z.object({
  statusCode: z.int().min(200).max(599),
  headers: z.record(z.string(), z.union([z.string(), z.number(), z.boolean()])).nullish(),
  cookies: z.array(z.string()).nullish(),
  body: z.string().nullish(),
  isBase64Encoded: z.boolean().nullish(),
});

/** The connection's business, not the function's. */
const droppedHeaders = ['connection', 'content-length', 'keep-alive', 'trailer', 'transfer-encoding', 'upgrade'];

/** What a function's result means in payload format 2.0. Undefined: it is malformed. */
export const answerOf = (result: unknown): Answer | undefined => {
  if (!(result instanceof Object && 'statusCode' in result)) return inferredAnswer(result);
  const { data } = resultSchema.safeParse(result);
  if (!data) return undefined;
  const headers: Record<string, string | string[]> = { 'content-type': 'text/plain;charset=UTF-8' };
  for (const [name, value] of Object.entries(data.headers ?? {})) headers[name.toLowerCase()] = String(value);
  for (const name of droppedHeaders) delete headers[name];
  const cookies = [data.cookies ?? [], headers['set-cookie'] ?? []].flat();
  if (cookies.length > 0) headers['set-cookie'] = cookies;
  return {
    status: data.statusCode,
    headers,
    body: Buffer.from(data.body ?? '', data.isBase64Encoded ? 'base64' : 'utf8'),
  };
};

/** Without a status code the result itself is the body. */
const inferredAnswer = (result: unknown): Answer => ({
  status: 200,
  headers: { 'content-type': 'application/json' },
  body: Buffer.from(typeof result === 'string' ? result : JSON.stringify(result)),
});

const refusals = {
  401: ['Unauthorized', 'unauthorized', 'This path takes the admin token, as Authorization: Bearer <token>.'],
  404: ['Not Found'],
  413: ['Request Entity Too Large', 'invalid_request', 'The body is larger than 10 MB.'],
  500: ['Internal Server Error', 'internal_error', 'Something went wrong here. Nothing is known about the outcome.'],
  503: ['Service Unavailable', 'internal_error', 'The answer took too long. The request may still take effect.'],
} as const;

/** The gateway's own answer: API Gateway's `message`, and beside it the error envelope that the product's users expect. */
export const refusal = (status: keyof typeof refusals, requestId: string): Answer => {
  const [title, code, message] = refusals[status];
  const error = code && { code, message, docsUrl: `/docs/errors#${code}` };
  return {
    status,
    headers: {
      'content-type': 'application/json',
      'x-request-id': requestId,
      // What follows of a body that is too large is not read, so nothing else can come on its connection.
      ...(status === 413 && { connection: 'close' }),
    },
    body: Buffer.from(JSON.stringify({ message: title, error })),
  };
};
