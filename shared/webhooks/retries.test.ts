import { describe, expect, it } from 'vitest';
import { attemptsWith, nextDueMs, retryWaits } from './retries.ts';

const waits = retryWaits.parse('5,60,300,1800');

describe('retries', () => {
  it('makes five attempts: at once, then 5 s, 1 min, 5 min and 30 min after the end of the one before', () => {
    expect(attemptsWith(waits)).toBe(5);
    const endedMs = 1_000_000;
    expect([1, 2, 3, 4].map((made) => nextDueMs(waits, made, endedMs) - endedMs)).toEqual([
      5_000, 60_000, 300_000, 1_800_000,
    ]);
  });

  it('takes other waits, also parts of a second and none', () => {
    expect(retryWaits.parse('1,0.5,0')).toEqual([1, 0.5, 0]);
    expect(attemptsWith(retryWaits.parse('7'))).toBe(2);
  });

  it('refuses waits that are none', () => {
    for (const wrong of ['5,x', '-1', '5;60']) expect(retryWaits.safeParse(wrong).success).toBe(false);
  });
});
