import { serverNow } from '../server-time.ts';
import type { Filter, Query } from './filters.tsx';

/** Two dates that a list is narrowed to. */
export const periodFilters: readonly Filter[] = [
  { name: 'since', label: 'From', kind: 'date' },
  { name: 'until', label: 'To', kind: 'date' },
];

/** Days in the viewer's zone become the instants of a query. */
export const withPeriod = ({ since, until, ...rest }: Query) => ({
  ...rest,
  ...(since && { from: new Date(`${since}T00:00:00`).toISOString() }),
  ...(until && { to: new Date(`${until}T23:59:59.999`).toISOString() }),
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
