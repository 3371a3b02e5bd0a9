import type { Random } from './random.ts';

/** When recipients are not to get texts. */
export interface Quiet {
  readonly fromMs: number;
  readonly toMs: number;
}

/** Minutes of the first ten, if an account has them: some begin when the first clients do, some while texts wait for their time. */
export const quietFrom = (chance: Random, startMs: number): Quiet | undefined => {
  if (!chance.isChance(0.2)) return undefined;
  const fromMs = startMs + 60_000 * chance.below(4);
  return { fromMs, toMs: fromMs + 60_000 * (1 + chance.below(6)) };
};

const timeIn = (atMs: number): string =>
  new Date(atMs).toLocaleTimeString('en-GB', { timeZone: 'Asia/Dhaka', hour: '2-digit', minute: '2-digit' });

/** As an account has them: all phones are of one country, and have its time. */
export const quietHoursOf = (quiet: Quiet | undefined) =>
  quiet ? { start: timeIn(quiet.fromMs), end: timeIn(quiet.toMs) } : null;
