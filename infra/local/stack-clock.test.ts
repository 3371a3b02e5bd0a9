import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { hourMs } from '../../shared/kit/time-units.ts';
import { freshStart } from './fresh-start.ts';
import { machineNowMs, putDateAhead } from './shifted-date.ts';
import { aheadIn, openStackClock } from './stack-clock.ts';
import { StartFailure } from './start-failure.ts';

/** Without -0. */
const hoursAhead = (timeMs: number): number => Math.round((timeMs - machineNowMs()) / hourMs) + 0;

let directory: string;
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'clock-'));
});
afterEach(() => {
  putDateAhead(0);
  rmSync(directory, { recursive: true });
});

it('a skip moves the time of the process, and is kept for the next start', () => {
  const clock = openStackClock(directory);
  expect(aheadIn(directory)).toBe(0);
  clock.skip(hourMs);
  clock.skip(2 * hourMs);
  expect([hoursAhead(Date.now()), hoursAhead(Date.parse(new Date().toISOString())), aheadIn(directory)]).toEqual([
    3,
    3,
    3 * hourMs,
  ]);
  clock.close();
  expect(hoursAhead(Date.now())).toBe(0);
  openStackClock(directory);
  expect(hoursAhead(Date.now())).toBe(3);
});

it('what the clock showed at a time of the machine stays the same after a skip and a restart', () => {
  const clock = openStackClock(directory);
  const earlierMs = machineNowMs() - 10_000;
  clock.skip(hourMs);
  const nowMs = machineNowMs();
  clock.skip(hourMs);
  for (const one of [clock, openStackClock(directory)])
    expect([one.at(earlierMs), one.at(nowMs + 10_000)]).toEqual([earlierMs, nowMs + 10_000 + 2 * hourMs]);
});

it('a damaged file ends the start with one line', () => {
  writeFileSync(join(directory, 'clock.json'), '{');
  expect(() => openStackClock(directory)).toThrow(StartFailure);
  expect(() => openStackClock(directory)).toThrow(freshStart(directory));
});
