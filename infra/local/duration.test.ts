import { describe, expect, it } from 'vitest';
import { durationWords, millisecondsUntil } from './duration.ts';

const now = Date.parse('2026-11-23T10:00:00Z');

describe('a time to skip', () => {
  it.each([
    ['90s', 90],
    ['15m', 900],
    ['1h', 3_600],
    ['2d', 172_800],
    ['1d12h', 129_600],
    ['1h30m5s', 5_405],
    ['0s', 0],
    ['2026-11-23T10:00:01Z', 1],
    ['2026-11-23T17:00:00+06:00', 3_600],
    ['2026-11-23T09:59:00Z', -60],
  ])('%s is %d seconds', (text, seconds) => {
    expect(millisecondsUntil(text, now)).toBe(seconds * 1_000);
  });

  it.each([
    '',
    '1',
    'h',
    '1w',
    '-1h',
    '1.5h',
    '1 h',
    '1m1h',
    '1h1h',
    '9999999999s',
    '2026-11-23',
    '2026-11-24T10:00:00',
  ])('is not %j', (text) => {
    expect(millisecondsUntil(text, now)).toBeUndefined();
  });
});

it('a duration is written in words, without units of zero', () => {
  expect([0, 1, 60, 3_661, 86_400, 266_401].map(durationWords)).toEqual([
    '0 seconds',
    '1 second',
    '1 minute',
    '1 hour 1 minute 1 second',
    '1 day',
    '3 days 2 hours 1 second',
  ]);
});
