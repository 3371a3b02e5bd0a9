import * as z from 'zod';

/** One HTTP response, not yet sent. Header names are in lower case. */
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

/** Headers that the connection sets, not the function. */
const droppedHeaders = ['connection', 'content-length', 'keep-alive', 'trailer', 'transfer-encoding', 'upgrade'];

/** The response for a function's result in payload format 2.0; undefined when it is malformed. */
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
  404: 'Not Found',
  413: 'Request Entity Too Large',
  429: 'Too Many Requests',
  500: 'Internal Server Error',
  503: 'Service Unavailable',
} as const;

const asJson = { 'content-type': 'application/json' };

/** API Gateway's own response: its status and body. */
export const refusal = (status: keyof typeof refusals): Answer => ({
  status,
  headers: {
    ...asJson,
    // The rest of a too large body stays unread, so its connection cannot carry another request.
    ...(status === 413 && { connection: 'close' }),
  },
  body: Buffer.from(JSON.stringify({ message: refusals[status] })),
});
