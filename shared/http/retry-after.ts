import { Unavailable } from '../kit/fault.ts';

/** When to come again. */
export const retryAfter = (seconds: number): Record<string, string> => ({
  'Retry-After': String(Math.max(1, Math.ceil(seconds))),
});

/** The status of an answer to something thrown that is no `Fault`. */
export const failureStatus = (thrown: unknown): 500 | 503 => (thrown instanceof Unavailable ? 503 : 500);

/** What the answer to something thrown says of that: only what passes by itself has a time. */
export const retryHeadersOf = (thrown: unknown): Record<string, string> =>
  thrown instanceof Unavailable ? retryAfter(thrown.retryAfterSeconds) : {};
