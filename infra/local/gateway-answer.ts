import type { ServerResponse } from 'node:http';
import * as z from 'zod';

/** One HTTP answer, before it is sent. */
export interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | readonly string[]>>;
  readonly body: string | Buffer;
}

const structured = z.object({
  statusCode: z.int().min(200).max(599),
  headers: z.record(z.string(), z.union([z.string(), z.number(), z.boolean()]).transform(String)).nullish(),
  cookies: z.array(z.string()).nullish(),
  body: z.string().nullish(),
  isBase64Encoded: z.boolean().nullish(),
});

/** What a function's return value means in payload format 2.0; undefined when it means nothing. */
export const answerOf = (payload: unknown): Answer | undefined => {
  if (!(payload instanceof Object && 'statusCode' in payload)) return inferredAnswer(payload);
  const { success, data } = structured.safeParse(payload);
  return success ? ...
};
