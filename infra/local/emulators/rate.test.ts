import { expect, it } from 'vitest';
import { openRate } from './rate.ts';

it('a rate of less than one call a second lets one pass, and the next when its time has come', () => {
  let nowMs = 0;
  const rate = openRate(0.5, () => nowMs);
  expect([rate.take(), rate.take()]).toEqual([true, false]);
  nowMs = 1_000;
  expect(rate.take()).toBe(false);
  nowMs = 2_000;
  expect([rate.take(), rate.take()]).toEqual([true, false]);
});

it('a rate of several calls a second lets so many pass at once', () => {
  const rate = openRate(3, () => 0);
  expect(Array.from({ length: 4 }, () => rate.take())).toEqual([true, true, true, false]);
});
