import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { afterAttempt, mayWaitOn, retrySeconds, turnSeconds } from './text-retries.ts';

const attempt = fc.integer({ min: 1, max: 20 });
const random = fc.double({ min: 0, max: 1, noNaN: true });

describe('retrySeconds', () => {
  it('doubles, with up to half as much more', () => {
    expect([1, 2, 3, 4, 5].map((n) => retrySeconds(n, 0, 0))).toEqual([1, 2, 4, 8, 16]);
    expect([1, 2, 3, 4, 5].map((n) => retrySeconds(n, 0, 1))).toEqual([2, 3, 6, 12, 24]);
  });

  it('is never shorter than the provider’s delay, and never longer than SQS’s maximum', () => {
    fc.assert(
      fc.property(attempt, fc.double({ min: 0, max: 10_000, noNaN: true }), random, (n, waitSeconds, chance) => {
        const seconds = retrySeconds(n, waitSeconds, chance);
        expect(Number.isInteger(seconds)).toBe(true);
        expect(seconds).toBeGreaterThanOrEqual(Math.min(Math.max(waitSeconds, 1), 900));
        expect(seconds).toBeLessThanOrEqual(900);
      }),
    );
  });
});

describe('afterAttempt', () => {
  it('never retries a text that may have been sent, at a provider without idempotency', () => {
    fc.assert(
      fc.property(attempt, (n) => {
        expect(afterAttempt({ attempt: n, isUncertain: true, isRepeatable: false })).toBe('await-report');
      }),
    );
  });

  it('never records a text as unsent that may have been sent, and always ends', () => {
    for (const isRepeatable of [true, false]) {
      for (const isUncertain of [true, false]) {
        const ends = Array.from({ length: 20 }, (_, n) => afterAttempt({ attempt: n + 1, isUncertain, isRepeatable }));
        if (isUncertain) expect(ends).not.toContain('give-up');
        expect(ends.slice(7)).not.toContain('again');
        if (isRepeatable || !isUncertain) expect(new Set(ends.slice(0, 7))).toEqual(new Set(['again']));
      }
    }
  });
});

describe('turnSeconds', () => {
  it('is about the time that a text has waited, and at most five minutes unless its provider asks for more', () => {
    expect([0, 1_000, 10_000, 60_000].map((waitedMs) => turnSeconds(waitedMs, 0, 0.5))).toEqual([1, 1, 10, 60]);
    fc.assert(
      fc.property(fc.nat({ max: 90_000_000 }), fc.nat({ max: 10_000 }), random, (waitedMs, waitSeconds, chance) => {
        const seconds = turnSeconds(waitedMs, waitSeconds, chance);
        expect(Number.isInteger(seconds)).toBe(true);
        expect(seconds).toBeGreaterThanOrEqual(Math.min(Math.max(waitSeconds, 1), 900));
        expect(seconds).toBeLessThanOrEqual(Math.min(Math.max(waitSeconds, 300), 900));
      }),
    );
  });

  it('is waited for a day', () => {
    expect([mayWaitOn(86_399_999), mayWaitOn(86_400_000)]).toEqual([true, false]);
  });
});
