import { expect, it } from 'vitest';
import { wholeHoursOf } from './period.ts';

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

it('today has what is sent in its last half hour', () => {
  const fromMs = Date.parse('2026-11-26T00:00:00+05:30');
  const untilMs = fromMs + 24 * 3_600_000;
  expect(wholeHoursOf({ fromMs, untilMs }, untilMs - 60_000).endDate).toBe('2026-11-26T18:59:59.999Z');
});
