import { timeOfId } from '../../kit/id.ts';
import { iso } from '../../kit/time.ts';
import { keptSinceMs } from '../../webhooks/retention.ts';
import { emptyTally, sumOf, type Tally } from '../../webhooks/tally.ts';
import { itemKeys } from '../keys.ts';
import type { Item, Table } from '../table.ts';
import { tallyIn } from './delivery-items.ts';
import { type UncountedLease, uncountedLeasesIn } from './lease-items.ts';

/** A delivery that is no longer kept had succeeded: a lease whose run died is evicted by the next one, which comes with the delivery's own job. */
const tallyOfDelivery = (lease: string, delivery: string, item: Item | undefined, nowMs: number): Tally | undefined => {
  if (item) return tallyIn(item, lease);
  return timeOfId(delivery) < keptSinceMs(nowMs)
    ? { ...emptyTally, totalSent: 1, lastSentAt: iso(timeOfId(lease)) }
    : undefined;
};

/** What leases that stayed in their slots have yet to add to the totals, by slot. A lease that is not among them is under way, or its run died. */
export const uncountedIn = async (
  table: Table,
  webhook: string,
  leases: Item,
  nowMs: number,
): Promise<ReadonlyMap<number, Tally>> => {
  const uncounted = uncountedLeasesIn(leases);
  const ids = [...new Set(uncounted.flatMap(({ deliveries }) => deliveries))];
  const items = await table.getAll(ids.map((id) => itemKeys.delivery(webhook, id)));
  const tallyOfLease = ({ lease, deliveries }: UncountedLease): Tally | undefined => {
    const tallies = deliveries.map((id) => tallyOfDelivery(lease, id, items[ids.indexOf(id)], nowMs));
    const known = tallies.filter((tally) => tally !== undefined);
    return known.length === deliveries.length ? known.reduce(sumOf) : undefined;
  };
  return new Map(
    uncounted.flatMap((one) => {
      const tally = tallyOfLease(one);
      return tally ? [[one.slot, tally] as const] : [];
    }),
  );
};
