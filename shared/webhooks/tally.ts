import { iso } from '../kit/time.ts';
import type { Attempt, DeliveryState, Total } from './delivery.ts';

/** What ended deliveries change of their subscription's totals, and when the last of them ended. */
export interface Tally {
  readonly totalSent: number;
  readonly totalFailed: number;
  readonly lastSentAt: string | undefined;
  readonly lastFailedAt: string | undefined;
}

export const emptyTally: Tally = { totalSent: 0, totalFailed: 0, lastSentAt: undefined, lastFailedAt: undefined };

/** The tally of one delivery: it is in one total only, and may leave the other for it. */
export const tallyOf = (
  state: DeliveryState,
  { before, after }: { readonly before: Total | undefined; readonly after: Total | undefined },
  { startedMs, responseTime }: Pick<Attempt, 'startedMs' | 'responseTime'>,
): Tally => {
  const step = (total: Total) => (before === after ? 0 : Number(after === total) - Number(before === total));
  const at = iso(startedMs + responseTime);
  return {
    totalSent: step('totalSent'),
    totalFailed: step('totalFailed'),
    lastSentAt: state === 'succeeded' ? at : undefined,
    lastFailedAt: state === 'failed' ? at : undefined,
  };
};

const laterOf = (one: string | undefined, other: string | undefined): string | undefined =>
  one === undefined || (other !== undefined && other > one) ? other : one;

export const sumOf = (one: Tally, other: Tally): Tally => ({
  totalSent: one.totalSent + other.totalSent,
  totalFailed: one.totalFailed + other.totalFailed,
  lastSentAt: laterOf(one.lastSentAt, other.lastSentAt),
  lastFailedAt: laterOf(one.lastFailedAt, other.lastFailedAt),
});
