import type { Context } from 'aws-lambda';

/** Lambda's context. It has a new call's full time, unless a test sets another. */
export const contextWith = (remainingMs: () => number = () => 25_000): Context =>
  ({ getRemainingTimeInMillis: remainingMs }) as Context;
