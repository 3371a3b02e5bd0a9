import { expect, it, onTestFinished, vi } from 'vitest';
import { beginOf, endOf, wholeHoursOf } from './period.ts';

it.each([
  ['Asia/Dhaka', '2026-11-26T00:00:00+06:00', '2026-11-25T18:00:00.000Z', '2026-11-26T17:59:59.999Z'],
  ['Asia/Kolkata', '2026-11-26T00:00:00+05:30', '2026-11-25T18:00:00.000Z', '2026-11-26T17:59:59.999Z'],
  ['Asia/Kathmandu', '2026-11-26T00:00:00+05:45', '2026-11-25T18:00:00.000Z', '2026-11-26T17:59:59.999Z'],
  ['America/St_Johns', '2026-11-26T00:00:00-03:30', '2026-11-26T03:00:00.000Z', '2026-11-27T02:59:59.999Z'],
])('asks for the messages of a day in %s by whole hours of UTC', (_zone, midnight, startDate, endDate) => {
  const fromMs = Date.parse(midnight);
  const untilMs = fromMs + 24 * 3_600_000;
  expect(wholeHoursOf({ fromMs, untilMs }, untilMs)).toEqual({ startDate, endDate });
});

it.each([
  ['Asia/Dhaka', '2026-11-26', '2026-11-25T18:00:00.000Z', '2026-11-26T17:59:59.999Z'],
  // At midnight the clocks go back by an hour.
  ['Africa/Cairo', '2026-10-29', '2026-10-28T21:00:00.000Z', '2026-10-29T21:59:59.999Z'],
])('a day in %s, %s, is all of its hours', (zone, day, begin, end) => {
  onTestFinished(() => void vi.unstubAllEnvs());
  vi.stubEnv('TZ', zone);
  expect([beginOf(day), endOf(day)]).toEqual([begin, end]);
});

it('today has what is sent in its last half hour', () => {
  const fromMs = Date.parse('2026-11-26T00:00:00+05:30');
  const untilMs = fromMs + 24 * 3_600_000;
  expect(wholeHoursOf({ fromMs, untilMs }, untilMs - 60_000).endDate).toBe('2026-11-26T18:59:59.999Z');
});
