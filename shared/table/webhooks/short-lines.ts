import { timeOfId } from '../../kit/id.ts';
import { iso } from '../../kit/time.ts';
import { emptyTally, sumOf, type Tally } from '../../webhooks/tally.ts';
import { itemKeys } from '../keys.ts';
import type { Item, Table } from '../table.ts';
import { keptSinceMs, tallyIn } from './delivery-items.ts';
import { type ShortLine, shortLinesIn } from './line-items.ts';

/** A delivery that is no longer kept had succeeded: a line whose run died is expelled by the next one, which comes with the delivery's own job. */
const tallyOfDelivery = (line: string, delivery: string, item: Item | undefined, nowMs: number): Tally | undefined => {
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
  const short = shortLinesIn(lines);
  const ids = [...new Set(short.flatMap(({ deliveries }) => deliveries))];
  const items = await table.getAll(ids.map((id) => itemKeys.delivery(webhook, id)));
  const tallyOfLine = ({ line, deliveries }: ShortLine): Tally | undefined => {
    const tallies = deliveries.map((id) => tallyOfDelivery(line, id, items[ids.indexOf(id)], nowMs));
    const known = tallies.filter((tally) => tally !== undefined);
    return known.length === deliveries.length ? known.reduce(sumOf) : undefined;
  };
  return new Map(
    short.flatMap((one) => {
      const tally = tallyOfLine(one);
      return tally ? [[one.place, tally] as const] : [];
    }),
  );
};
