import { timeOfId } from '../../kit/id.ts';
import { iso } from '../../kit/time.ts';
import { emptyTally, type Tally } from '../../webhooks/tally.ts';
import { itemKeys } from '../keys.ts';
import type { Item, Table } from '../table.ts';
import { keptSinceMs, tallyIn } from './delivery-items.ts';
import { type LoneLine, loneLinesIn } from './line-items.ts';

/** A delivery that is no longer kept had succeeded: a line whose run died is expelled by the next one, which comes with the delivery's own job. */
const tallyOfLone = ({ line, delivery }: LoneLine, item: Item | undefined, nowMs: number): Tally | undefined => {
  if (item) return tallyIn(item, line);
  return timeOfId(delivery) < keptSinceMs(nowMs)
    ? { ...emptyTally, totalSent: 1, lastSentAt: iso(timeOfId(line)) }
    : undefined;
};

/** What lines that stayed in their places have yet to add to the totals, by place. A line that is not among them is under way, or its run died. */
export const uncountedIn = async (
  table: Table,
  webhook: string,
  lines: Item,
  nowMs: number,
): Promise<ReadonlyMap<number, Tally>> => {
  const lone = loneLinesIn(lines);
  const deliveries = [...new Set(lone.map(({ delivery }) => delivery))];
  const items = await table.getAll(deliveries.map((id) => itemKeys.delivery(webhook, id)));
  return new Map(
    lone.flatMap((one) => {
      const tally = tallyOfLone(one, items[deliveries.indexOf(one.delivery)], nowMs);
      return tally ? [[one.place, tally] as const] : [];
    }),
  );
};
