import * as z from 'zod';

/**
 * The settings of an AWS client that hands things over which must not go twice. It never repeats a call by itself, and never sends over a
 * connection that was kept: one that died while the function was frozen would leave the fate of what was sent unknown.
 */
export const singleCallSettings = {
  maxAttempts: 1,
  requestHandler: { connectionTimeout: 2_000, httpAgent: { keepAlive: false }, httpsAgent: { keepAlive: false } },
} as const;

/** No connection came about, so nothing can have been handed over. */
const neverConnected = new Set(['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'EHOSTUNREACH', 'ENETUNREACH']);

/** What the client adds to an error that came with an answer. */
const answered = z.object({ $metadata: z.object({ httpStatusCode: z.number() }) });

/** What became of a call that threw, apart from what the service calls final: it was taken, was not taken, or nobody knows. */
export const fateOf = (thrown: Error): 'accepted' | 'unavailable' | 'unknown' => {
  const status = answered.safeParse(thrown).data?.$metadata.httpStatusCode;
  // The service took it, whatever became of the rest of its answer.
  if (status !== undefined && status < 300) return 'accepted';
  const systemCode = 'code' in thrown ? String(thrown.code) : '';
  return status !== undefined || neverConnected.has(systemCode) ? 'unavailable' : 'unknown';
};
