import type { AccountSettings } from '../accounts/account.ts';
import { onceFor } from '../kit/once-for.ts';
import { dayMs, minuteMs } from '../kit/time-units.ts';
import { type CountryRule, quietHoursRules } from './quiet-hours-rules.ts';
import { regionOf } from './region.ts';

type Window = Pick<CountryRule, 'start' | 'end' | 'days'>;

/** Longer than any week of quiet days and windows: where this has no time without quiet, there is none. */
const searchMs = 8 * dayMs;

/** Time zones change their offset only at a full quarter of an hour in UTC, so local time is continuous between two of those. */
const quarterMs = 15 * minuteMs;

/** A local time and date. */
interface Local {
  readonly day: number;
  readonly sinceMidnightMs: number;
}

const weekdays = ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat'];

/** Kept, because creating a formatter is slow and few zones recur. */
const clockIn = /* @__PURE__ */ onceFor(
  (timeZone) =>
    new Intl.DateTimeFormat('en-US', {
      timeZone,
      weekday: 'short',
      hour: '2-digit',
      minute: '2-digit',
      hourCycle: 'h23',
    }),
);

const localAt = (timeZone: string, atMs: number): Local => {
  const shown = new Map(
    clockIn(timeZone)
      .formatToParts(atMs)
      .map(({ type, value }) => [type, value]),
  );
  const minutes = Number(shown.get('hour')) * 60 + Number(shown.get('minute'));
  return {
    day: weekdays.indexOf(shown.get('weekday') ?? ''),
    sinceMidnightMs: minutes * minuteMs + (atMs % minuteMs),
  };
};

const timeOfDayMs = (text: string): number => {
  const [hours = 0, minutes = 0] = text.split(':').map(Number);
  return (hours * 60 + minutes) * minuteMs;
};

/** How long the window continues at that local time; 0 outside it. It includes its start but not its end; equal start and end mean no window. */
const restOf = ({ start, end, days = [] }: Window, { day, sinceMidnightMs }: Local): number => {
  if (days.includes(day)) return dayMs - sinceMidnightMs;
  const sinceStartMs = (sinceMidnightMs - timeOfDayMs(start) + dayMs) % dayMs;
  const lengthMs = (timeOfDayMs(end) - timeOfDayMs(start) + dayMs) % dayMs;
  return Math.max(lengthMs - sinceStartMs, 0);
};

/** The account's window if it covers the country (an unknown one is always covered), and the country's own if the account enables it. */
const windowsFor = (quietHours: NonNullable<AccountSettings['quietHours']>, country: string | undefined): Window[] => {
  const isCovered = country === undefined || (quietHours.countries?.includes(country) ?? true);
  const rule = quietHours.withCountryRules && country !== undefined ? quietHoursRules.countries[country] : undefined;
  return [...(isCovered ? [quietHours] : []), ...(rule ? [rule] : [])];
};

/**
 * The end of quiet hours for this number: the earliest time, in milliseconds since 1970, at which none of its time zones is quiet.
 * Undefined when that is now.
 *
 * The account's window is in the recipient's local time and holds for the countries it names, or for all; a number of no country counts as
 * covered, on UTC. A country's own rules hold for every number of it, also where `countries` does not name it. When windows and zones
 * leave no time at all, the answer is the end of the search, in 8 days; sending is not possible then either.
 */
export const quietUntil = (
  quietHours: AccountSettings['quietHours'],
  phone: string,
  nowMs: number,
): number | undefined => {
  if (!quietHours) return undefined;
  const { country, timeZones } = regionOf(phone);
  const windows = windowsFor(quietHours, country);
  const restIn = (zone: string, atMs: number): number => {
    const local = localAt(zone, atMs);
    return Math.max(0, ...windows.map((window) => restOf(window, local)));
  };

  const endMs = nowMs + searchMs;
  let atMs = nowMs;
  while (atMs < endMs) {
    const now = atMs;
    const restMs = timeZones
      .values()
      .map((zone) => restIn(zone, now))
      .find((rest) => rest > 0);
    if (restMs === undefined) return now === nowMs ? undefined : now;
    atMs = Math.min(now + restMs, now - (now % quarterMs) + quarterMs, endMs);
  }
  return endMs;
};

/** Whether quiet hours with this end, as `quietUntil` found it, leave no time at all. */
export const isEndless = (untilMs: number, nowMs: number): boolean => untilMs >= nowMs + searchMs;
