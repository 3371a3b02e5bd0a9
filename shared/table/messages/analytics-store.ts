import { addUp, type Counts, countName } from '../../analytics/counts.ts';
import { partsOf, type Range } from '../../analytics/range.ts';
import { type Counted, effectOf, type StatusChange, uncounted } from '../../analytics/status-change.ts';
import type { AccountRef } from '../../kit/account-ref.ts';
import { firstIdAt, lastIdAt, timeOfId } from '../../kit/id.ts';
import { InternalError } from '../../kit/internal-error.ts';
import { iso } from '../../kit/time.ts';
import type { Channel, Status } from '../../messages/message.ts';
import { noPrice, type Price } from '../../messages/new-message.ts';
import { itemKeys, partitions } from '../keys.ts';
import type { Item, Table, Write } from '../table.ts';
import { messageRows } from './message-rows.ts';
import type { SpreadStore } from './spread-store.ts';

/** Longer than the table's stream remembers: a change is not delivered again after 24 hours. */
const rememberedSeconds = 48 * 3_600;
const mostMarksPerTransaction = 99;

/** The hour of an instant, as items are sorted by it: `2026-11-20T12`. */
export const hourOf = (timeMs: number): string => iso(timeMs).slice(0, 13);

/** An uncounted change, and its message's counted values before it. */
interface Step extends StatusChange {
  readonly counted: Counted | undefined;
}

/**
 * Numbers of messages by the hour they were created in, channel and status, and the credits that they took. Counting a change and marking its message as counted is one
 * transaction: repeated changes, in parts or together, count once. Each message needs a mark, because nothing shows which
 * shard of the stream a change came through, and only the changes of one item are in order across shards.
 */
export const analyticsStore = (table: Table, spreads: SpreadStore) => ({
  /** Counts changes of messages, those of each message in their order. */
  record: async (changes: readonly StatusChange[], nowMs: number): Promise<void> => {
    const histories = [...Map.groupBy(changes, ({ account, id }) => `${account}/${id}`).values()];
    const marks = await table.getAll(
      histories.flatMap(([first]) => (first ? itemKeys.countedMessage(first.account, first.id) : [])),
    );
    const steps = histories.flatMap((history, n): Step[] => {
      const counted = countedFrom(marks[n]);
      const change = uncounted(history, counted);
      return change ? [{ ...change, counted }] : [];
    });
    const hours = Map.groupBy(steps, ({ account, id }) => `${account}/${hourOf(timeOfId(id))}`);
    const parts = [...hours.values()].flatMap(inTransactions);
    // What has failed is delivered again at once, so nothing of it may still be running.
    const outcomes = await Promise.allSettled(parts.map((part) => count(table, part, nowMs)));
    const failure = outcomes.find((outcome) => outcome.status === 'rejected');
    if (failure) throw failure.reason;
  },

  /** How many messages created in this range have which status now. Costs by the hour, but for the messages of the hours at its ends. */
  count: async (account: AccountRef, range: Range, nowMs: number): Promise<Counts> => {
    const { hours, edges } = partsOf(range, nowMs);
    const rows = messageRows(table, account.id, await spreads.of(account.id, range.endMs));
    const found = await Promise.all([
      ...hours.map(async ({ startMs, endMs }) => {
        const stretch = { from: hourOf(startMs), to: hourOf(endMs), newestFirst: false };
        return (await table.query(partitions.hourCounts(account.id), stretch)).flatMap(numbersIn);
      }),
      ...edges.map(async ({ startMs, endMs }) => {
        const stretch = { from: firstIdAt(startMs), to: lastIdAt(endMs), only: ['channel', 'status'] };
        return (await rows.all({}, stretch)).map(oneIn);
      }),
    ]);
    return addUp(found.flat());
  },
});

export type AnalyticsStore = ReturnType<typeof analyticsStore>;

/** @throws Error when another run has counted one of these messages; then nothing is counted */
const count = async (table: Table, steps: readonly Step[], nowMs: number): Promise<void> => {
  const refused = await table.transact([...hourWrites(steps), ...steps.map((step) => markWrite(step, nowMs))]);
  if (refused) throw new InternalError('another run is counting the same changes');
};

/** All steps are of one hour. Those that cancel each other out leave nothing to write. */
const hourWrites = (steps: readonly Step[]): Write[] => {
  const [first] = steps;
  const changed = [...addUp(steps.flatMap(effectOf))].filter(([, number]) => number !== 0);
  if (!first || changed.length === 0) return [];
  return [
    {
      Update: {
        Key: itemKeys.hourCounts(first.account, hourOf(timeOfId(first.id))),
        UpdateExpression: `ADD ${changed.map((_, n) => `#f${n} :v${n}`).join(', ')}`,
        ExpressionAttributeNames: Object.fromEntries(changed.map(([name], n) => [`#f${n}`, name])),
        ExpressionAttributeValues: Object.fromEntries(changed.map(([, number], n) => [`:v${n}`, number])),
      },
    },
  ];
};

const markWrite = ({ account, id, after, sequence, counted }: Step, nowMs: number): Write => ({
  Put: {
    Item: {
      ...itemKeys.countedMessage(account, id),
      ...after,
      sequence,
      expiresAt: Math.floor(nowMs / 1_000) + rememberedSeconds,
    },
    ...(counted
      ? {
          ConditionExpression: '#s = :was',
          ExpressionAttributeNames: { '#s': 'sequence' },
          ExpressionAttributeValues: { ':was': counted.sequence },
        }
      : { ConditionExpression: 'attribute_not_exists(PK)' }),
  },
});

const countedFrom = (mark: Item | undefined): Counted | undefined =>
  mark && {
    sequence: String(mark['sequence']),
    standing:
      mark['status'] === undefined
        ? undefined
        : { status: mark['status'] as Status, price: (mark['price'] as Price | undefined) ?? noPrice },
  };

const inTransactions = (steps: readonly Step[]): Step[][] =>
  Array.from({ length: Math.ceil(steps.length / mostMarksPerTransaction) }, (_, n) =>
    steps.slice(n * mostMarksPerTransaction, (n + 1) * mostMarksPerTransaction),
  );

const numbersIn = (item: Item): (readonly [string, number])[] =>
  Object.entries(item).flatMap(([name, value]) => (typeof value === 'number' ? [[name, value] as const] : []));

const oneIn = (row: Item): readonly [string, number] => [
  countName(row['channel'] as Channel, row['status'] as Status),
  1,
];
