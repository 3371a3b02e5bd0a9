import { hourMs } from '../../kit/time-units.ts';
import { serverNow } from '../server-time.ts';
import type { Filter, Query } from './filters.tsx';

/** Two dates that a list is narrowed to. */
export const periodFilters: readonly Filter[] = [
  { name: 'since', label: 'From', kind: 'date' },
  { name: 'until', label: 'To', kind: 'date' },
];

export const beginOf = (day: string): string => new Date(`${day}T00:00:00`).toISOString();

/** A millisecond before the next day: where clocks go back at midnight, 23:59 comes twice. */
export const endOf = (day: string): string => {
  const date = new Date(`${day}T00:00:00`);
  return new Date(new Date(date.getFullYear(), date.getMonth(), date.getDate() + 1).getTime() - 1).toISOString();
};

/** Days in the viewer's zone become the instants of a query. */
export const withPeriod = ({ since, until, ...rest }: Query) => ({
  ...rest,
  ...(since && { from: beginOf(since) }),
  ...(until && { to: endOf(until) }),
});

const dayName = new Intl.DateTimeFormat(undefined, { day: 'numeric', month: 'short' });

/** The last days in the viewer's zone, the oldest first. */
export const lastDays = (count: number) => {
  const now = serverNow();
  const midnightOf = (i: number) =>
    new Date(now.getFullYear(), now.getMonth(), now.getDate() - count + 1 + i).getTime();
  return Array.from({ length: count }, (_, i) => ({
    label: dayName.format(midnightOf(i)),
    fromMs: midnightOf(i),
    untilMs: midnightOf(i + 1),
  }));
};

const hourOf = (ms: number): number => ms - (ms % hourMs);

/**
 * The query for the messages of a day. The server has counts of whole hours in UTC, and counts parts of an hour row by row. So in time zones of
 * half and quarter hours a day begins and ends up to 30 minutes early; but today ends late, so that it has what is sent now.
 */
export const wholeHoursOf = (
  { fromMs, untilMs }: { readonly fromMs: number; readonly untilMs: number },
  nowMs: number,
) => ({
  startDate: new Date(hourOf(fromMs)).toISOString(),
  endDate: new Date(hourOf(untilMs > nowMs ? untilMs + hourMs - 1 : untilMs) - 1).toISOString(),
});
