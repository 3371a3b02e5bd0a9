import { Unavailable } from '../kit/fault.ts';

/** When to come again. */
export const retryAfter = (seconds: number): Record<string, string> => ({
  'Retry-After': String(Math.max(1, Math.ceil(seconds))),
});

/** What the answer to something thrown says of that: only what passes by itself has a time. */
export const retryHeadersOf = (thrown: unknown): Record<string, string> =>
  thrown instanceof Unavailable ? retryAfter(thrown.retryAfterSeconds) : {};
