import { expect, test } from 'vitest';
import { firstRun, nextRun } from './scheduler-timing.ts';

const nowMs = Date.UTC(2026, 10, 20, 12);
const minutes = (count: number) => count * 60_000;
const seconds = (iso: string) => Date.parse(iso) / 1000;
const timing = (expression: string, more: { zone?: string; StartDate?: number; EndDate?: number } = {}) => {
  const { zone = 'UTC', ...dates } = more;
  return { ScheduleExpression: expression, ScheduleExpressionTimezone: zone, ...dates };
};

test.each([
  ['UTC', '2026-07-01T09:30:00', '2026-07-01T09:30:00Z'],
  ['Asia/Dhaka', '2026-07-01T09:30:00', '2026-07-01T03:30:00Z'],
  ['Asia/Kathmandu', '2026-07-01T09:30:00', '2026-07-01T03:45:00Z'],
  ['America/New_York', '2026-01-15T09:00:00', '2026-01-15T14:00:00Z'],
  ['America/New_York', '2026-07-15T09:00:00', '2026-07-15T13:00:00Z'],
  ['Europe/Berlin', '2026-03-29T01:59:59', '2026-03-29T00:59:59Z'],
  ['Europe/Berlin', '2026-03-29T03:00:00', '2026-03-29T01:00:00Z'],
  ['Pacific/Apia', '2011-12-31T00:00:00', '2011-12-30T10:00:00Z'],
])('in %s, at(%s) is %s', (zone, local, instant) => {
  expect(firstRun(timing(`at(${local})`, { zone }), nowMs)).toBe(Date.parse(instant));
});

test.each([
  ['skipped in spring', 'Europe/Berlin', '2026-03-29T02:30:00', '2026-03-29T01:30:00Z'],
  ['skipped in spring', 'Australia/Lord_Howe', '2026-10-04T02:15:00', '2026-10-03T15:45:00Z'],
  ['shown twice in autumn', 'Europe/Berlin', '2026-10-25T02:30:00', '2026-10-25T00:30:00Z'],
  ['shown twice in autumn', 'America/New_York', '2026-11-01T01:30:00', '2026-11-01T05:30:00Z'],
])('a time %s in %s, at(%s), is %s', (_, zone, local, instant) => {
  expect(firstRun(timing(`at(${local})`, { zone }), nowMs)).toBe(Date.parse(instant));
});

test('a one-time schedule has no next run', () => {
  expect(nextRun(timing('at(2026-11-20T12:00:00)'), nowMs, nowMs)).toBeNull();
});

test.each([
  ['rate(1 minute)', minutes(1)],
  ['rate(5 minutes)', minutes(5)],
  ['rate(1 hour)', minutes(60)],
  ['rate(2 days)', minutes(2 * 24 * 60)],
])('%s runs at once, then at that interval', (expression, intervalMs) => {
  expect(firstRun(timing(expression), nowMs)).toBe(nowMs);
  expect(nextRun(timing(expression), nowMs, nowMs)).toBe(nowMs + intervalMs);
  expect(nextRun(timing(expression), nowMs, nowMs + 3)).toBe(nowMs + intervalMs);
});

test('a rate that missed runs keeps its rhythm', () => {
  expect(nextRun(timing('rate(10 minutes)'), nowMs, nowMs + minutes(34))).toBe(nowMs + minutes(40));
  expect(nextRun(timing('rate(10 minutes)'), nowMs, nowMs + minutes(40))).toBe(nowMs + minutes(50));
});

test.each([
  ['2026-11-20T13:00:00Z', '2026-11-20T13:00:00Z'],
  ['2026-11-20T12:00:00Z', '2026-11-20T12:00:00Z'],
  ['2026-11-20T11:55:00Z', '2026-11-20T12:05:00Z'],
])('a rate of ten minutes that starts %s runs first at %s', (start, first) => {
  expect(firstRun(timing('rate(10 minutes)', { StartDate: seconds(start) }), nowMs)).toBe(Date.parse(first));
});

test('a rate ends at its end date', () => {
  const ending = timing('rate(10 minutes)', { EndDate: seconds('2026-11-20T12:15:00Z') });
  expect(nextRun(ending, nowMs, nowMs)).toBe(nowMs + minutes(10));
  expect(nextRun(ending, nowMs + minutes(10), nowMs + minutes(10))).toBeNull();
});

test.each([
  'at(2026-02-30T00:00:00)',
  'at(2026-11-20T24:00:00)',
  'at(2026-11-20T12:00)',
  'at(2026-11-20T12:00:00Z)',
  'rate(0 minutes)',
  'rate(5 seconds)',
  'rate(5minutes)',
  'tomorrow',
])('%s is refused', (expression) => {
  expect(() => firstRun(timing(expression), nowMs)).toThrow(`Invalid Schedule Expression ${expression}.`);
});

test('cron is refused by name', () => {
  expect(() => firstRun(timing('cron(0 12 * * ? *)'), nowMs)).toThrow('does not run cron');
});
