import { dayMs, minuteMs } from '../../../shared/kit/time-units.ts';
import { AwsError } from './json-service.ts';
import type { ScheduleDefinition } from './scheduler-schedule.ts';

const timingFields = ['ScheduleExpression', 'ScheduleExpressionTimezone', 'StartDate', 'EndDate'] as const;
type Timing = Pick<ScheduleDefinition, (typeof timingFields)[number]>;

const unitMs: Readonly<Record<string, number>> = { minute: minuteMs, hour: 60 * minuteMs, day: dayMs };

/**
 * The first run of a new schedule, or null for never. The time of `at` may have passed; a rate begins at once or at its start date.
 * @throws AwsError for an expression that the service refuses, and for cron, which the emulator lacks
 */
export const firstRun = (timing: Timing, nowMs: number): number | null => {
  const intervalMs = intervalOf(timing);
  if (intervalMs === undefined) return instantOf(timing);
  const startMs = timing.StartDate === undefined ? nowMs : Math.round(timing.StartDate * 1000);
  return untilEnd(timing, startMs + Math.max(0, Math.ceil((nowMs - startMs) / intervalMs)) * intervalMs);
};

/** The next run after a run: none for `at`; a rate keeps its rhythm and skips missed runs. */
export const nextRun = (timing: Timing, lastRunMs: number, nowMs: number): number | null => {
  const intervalMs = intervalOf(timing);
  if (intervalMs === undefined) return null;
  return untilEnd(timing, lastRunMs + (Math.floor((nowMs - lastRunMs) / intervalMs) + 1) * intervalMs);
};

/** True when two definitions run at the same times, so that an update need not restart the schedule. */
export const sameTiming = (a: Timing, b: Timing): boolean => timingFields.every((field) => a[field] === b[field]);

const untilEnd = ({ EndDate }: Timing, runMs: number): number | null =>
  EndDate !== undefined && runMs > EndDate * 1000 ? null : runMs;

const intervalOf = ({ ScheduleExpression }: Timing): number | undefined => {
  const [, count, unit = ''] = /^rate\(([1-9]\d*) (minute|hour|day)s?\)$/.exec(ScheduleExpression) ?? [];
  const intervalMs = unitMs[unit];
  return intervalMs && Number(count) * intervalMs;
};

const instantOf = ({ ScheduleExpression, ScheduleExpressionTimezone }: Timing): number => {
  if (ScheduleExpression.startsWith('cron(')) {
    throw new AwsError('ValidationException', 'The local stack does not run cron: use at(…) or rate(…).');
  }
  const [, local] = /^at\((\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2})\)$/.exec(ScheduleExpression) ?? [];
  const wallMs = Date.parse(`${local}Z`);
  // `Date` turns 30 February into 2 March instead of refusing it.
  if (local === undefined || Number.isNaN(wallMs) || !new Date(wallMs).toISOString().startsWith(local)) {
    throw new AwsError('ValidationException', `Invalid Schedule Expression ${ScheduleExpression}.`);
  }
  return fromWallClock(wallMs, ScheduleExpressionTimezone);
};

/** A time that occurs twice in a zone is the first of the two; a skipped one is later by the skipped amount. */
const fromWallClock = (wallMs: number, timeZone: string): number => {
  const before = wallMs - offsetMs(wallMs - dayMs, timeZone);
  const after = wallMs - offsetMs(wallMs + dayMs, timeZone);
  return [before, after].find((instant) => instant + offsetMs(instant, timeZone) === wallMs) ?? before;
};

/** A zone's offset from UTC. The Swedish locale formats dates as ISO 8601. */
const offsetMs = (instantMs: number, timeZone: string): number =>
  Date.parse(`${new Date(instantMs).toLocaleString('sv-SE', { timeZone }).replace(' ', 'T')}Z`) - instantMs;
