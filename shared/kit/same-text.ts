import { timingSafeEqual } from 'node:crypto';

/** Compares a secret with what a caller sent. The time taken does not depend on where they differ. */
export const isSameText = (one: string, other: string): boolean => {
  const [a, b] = [Buffer.from(one), Buffer.from(other)];
  return a.length === b.length && timingSafeEqual(a, b);
};
