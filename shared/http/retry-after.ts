import { Fault, Unavailable } from '../kit/fault.ts';

/** The Retry-After header. */
export const retryAfter = (seconds: number): Record<string, string> => ({
  'Retry-After': String(Math.max(1, Math.ceil(seconds))),
});

/** The status for a thrown error that is not a `Fault`. */
export const failureStatus = (thrown: unknown): 500 | 503 => (thrown instanceof Unavailable ? 503 : 500);

/** Headers for a thrown error: only one that passes has a Retry-After. */
export const retryHeadersOf = (thrown: unknown): Record<string, string> =>
  (thrown instanceof Unavailable || thrown instanceof Fault) && thrown.retryAfterSeconds !== undefined
    ? retryAfter(thrown.retryAfterSeconds)
    : {};
