import { hash } from 'node:crypto';
import { addUp, type Counts, countName, messagesIn } from '../../analytics/counts.ts';
import { isWholeSoFar, partsOf, type Range } from '../../analytics/range.ts';
import { effectOf, type StatusChange } from '../../analytics/status-change.ts';
import type { AccountRef } from '../../kit/account-ref.ts';
import { firstIdAt, lastIdAt, timeOfId } from '../../kit/id.ts';
import { InternalError } from '../../kit/internal-error.ts';
import { iso } from '../../kit/time.ts';
import type { Channel, Status } from '../../messages/message.ts';
import { type ItemKey, itemKeys, partitionOfMessages, partitions } from '../keys.ts';
import { numberedFields } from '../numbered-fields.ts';
import { type Item, mostWrites, type Table, type Write } from '../table.ts';
import { versionAsRead } from '../writes.ts';
import { messageRows } from './message-rows.ts';
import type { SpreadStore } from './spread-store.ts';

/** Longer than the table's stream remembers: a change is not delivered again after 24 hours. */
const rememberedSeconds = 48 * 3_600;
/** The changes of a part are of at most so many hours. */
const mostHours = 90;
/** The changes of so long are remembered together: long enough that a batch of a quiet account meets one or two items, short enough that the items of a busy one stay small. */
const stretchMs = 10_000;
/** A whole hour of more messages is answered from its counts: reading its rows would cost a read unit for nine of them, at each question. */
const mostRowsOfWholeHour = 500;
/** Of a part of an hour of more messages the rows are not read one by one: that would take too long, and too much memory. */
const mostRowsRead = 20_000;
/** How many bytes distinguish one change from the others of its stretch. */
const digestBytes = 8;

/** The hour of an instant, as items are sorted by it: `2026-11-20T12`. */
export const hourOf = (timeMs: number): string => iso(timeMs).slice(0, 13);

/** The uncounted changes of one stretch and partition, and the item that remembers the counted ones, as it was read. */
interface Part {
  readonly key: ItemKey;
  readonly version: number;
  readonly seen: Uint8Array;
  readonly changes: readonly StatusChange[];
}

/**
 * Numbers of messages by the hour they were created in, channel and status, and the credits that they took. Counting changes and remembering that
 * they are counted is one transaction: repeated changes, in parts or together, count once. What is remembered lies by the stretch of the
 * change and the partition of its message, which come again with every repetition. Nothing shows which shard of the stream a change came
 * through, and only the changes of one item are in order across shards, so the last sequence number would not do.
 */
export const analyticsStore = (table: Table, spreads: SpreadStore) => ({
  /** Counts changes of messages. */
  record: async (changes: readonly StatusChange[], nowMs: number): Promise<void> => {
    const news = await uncountedByRelease(table, changes);
    const groups = [...Map.groupBy(news, (change) => JSON.stringify(markKey(change))).values()];
    const marks = await table.getAll(groups.flatMap(([first]) => (first ? [markKey(first)] : [])));
    const parts = groups.flatMap((group, n) => partsOfStretch(group, marks[n]));
    const byAccount = [...Map.groupBy(parts, ({ changes: [first] }) => first?.account).values()];
    // What has failed is delivered again at once, so nothing of it may still be running.
    const outcomes = await Promise.allSettled(byAccount.map((some) => countInTurn(table, some, nowMs)));
    const failure = outcomes.find((outcome) => outcome.status === 'rejected');
    if (failure) throw failure.reason;
  },

  /**
   * How many messages created in this range have which status now. Costs by the hour, but for the messages of the hours at its ends: those are
   * exact, because counts are some seconds old and have no parts of an hour. A busy hour that is asked for whole, so far, is answered from its
   * counts; for a part of a very busy one, DynamoDB counts its rows.
   */
  count: async (account: AccountRef, range: Range, nowMs: number): Promise<Counts> => {
    const { hours, edges } = partsOf(range, nowMs);
    const rows = messageRows(table, account.id, await spreads.of(account.id, range.endMs));
    const counted = async ({ startMs, endMs }: Range) => {
      const stretch = { from: hourOf(startMs), to: hourOf(Math.min(endMs, nowMs)), newestFirst: false };
      return (await table.query(partitions.hourCounts(account.id), stretch)).flatMap(numbersIn);
    };
    const atEdge = async (edge: Range) => {
      const known = await counted(edge);
      const messages = messagesIn(known);
      if (messages > mostRowsOfWholeHour && isWholeSoFar(edge, nowMs)) return known;
      const stretch = { from: firstIdAt(edge.startMs), to: lastIdAt(edge.endMs) };
      if (messages <= mostRowsRead) return (await rows.all({}, { ...stretch, only: ['channel', 'status'] })).map(oneIn);
      return (await rows.counts(stretch)).map(
        ({ channel, status, count }) => [countName(channel, status), count] as const,
      );
    };
    return addUp((await Promise.all([...hours.map(counted), ...edges.map(atEdge)])).flat());
  },
});

export type AnalyticsStore = ReturnType<typeof analyticsStore>;

const digestOf = ({ id, sequence }: StatusChange): string =>
  hash('sha256', `${id}#${sequence}`).slice(0, 2 * digestBytes);

const digestAt = (seen: Buffer, n: number): string => seen.toString('hex', n * digestBytes, (n + 1) * digestBytes);

const markKey = ({ account, partition, atMs }: StatusChange): ItemKey =>
  itemKeys.countedChanges(account, partitionOfMessages(account, partition), Math.floor(atMs / stretchMs));

/** Several where one transaction does not hold the rows of all hours: each then builds on the one before. */
const partsOfStretch = (group: readonly StatusChange[], mark: Item | undefined): Part[] => {
  const seen = Buffer.from((mark?.['seen'] ?? new Uint8Array()) as Uint8Array);
  const counted = new Set(Array.from({ length: seen.length / digestBytes }, (_, n) => digestAt(seen, n)));
  const changes = [...new Map(group.map((change) => [digestOf(change), change]))].filter(
    ([digest]) => !counted.has(digest),
  );
  const hours = [...Map.groupBy(changes, ([, { id }]) => hourOf(timeOfId(id))).values()];
  const between = (from: number, to: number) => hours.slice(from * mostHours, to * mostHours).flat();
  return Array.from({ length: Math.ceil(hours.length / mostHours) }, (_, n) => ({
    key: markKey(changes[0]?.[1] as StatusChange),
    version: Number(mark?.['version'] ?? 0) + n,
    seen: Buffer.concat([seen, ...between(0, n + 1).map(([digest]) => Buffer.from(digest, 'hex'))]),
    changes: between(n, n + 1).map(([, change]) => change),
  }));
};

/** The release before had a mark for each message, which says up to which change it was counted. It knew one partition only. */
const uncountedByRelease = async (table: Table, changes: readonly StatusChange[]): Promise<readonly StatusChange[]> => {
  const isEarlier = ({ account, partition }: StatusChange) => partitionOfMessages(account, partition) === '';
  const known = [...new Map(changes.filter(isEarlier).map((change) => [change.id, change])).values()];
  const marks = await table.getAll(known.map(({ account, id }) => itemKeys.countedMessage(account, id)));
  const counted = new Map(known.map(({ id }, n) => [id, String(marks[n]?.['sequence'] ?? '')]));
  return changes.filter(({ id, sequence }) => sequence > (counted.get(id) ?? ''));
};

/** Parts of one account. A part of which nothing is left is none. */
const countInTurn = async (table: Table, parts: readonly Part[], nowMs: number): Promise<void> => {
  const first = parts.slice(0, partsTogether(parts));
  if (first.length === 0) return;
  const changes = first.flatMap((part) => part.changes);
  const refused = await table.transact([...hourWrites(changes), ...first.map((part) => markWrite(part, nowMs))]);
  if (refused) throw new InternalError('another run is counting the same changes');
  await countInTurn(table, parts.slice(first.length), nowMs);
};

const hourKeyOf = ({ account, id }: StatusChange): ItemKey => itemKeys.hourCounts(account, hourOf(timeOfId(id)));

/** How many of the first parts one transaction takes, with the rows of their hours: it writes no item twice. */
const partsTogether = (parts: readonly Part[]): number => {
  const [hours, marks] = [new Set<string>(), new Set<string>()];
  const tooMany = parts.findIndex(({ key, changes }) => {
    const isNext = marks.has(JSON.stringify(key));
    marks.add(JSON.stringify(key));
    for (const change of changes) hours.add(hourKeyOf(change).SK);
    return isNext || (marks.size > 1 && hours.size + marks.size > mostWrites);
  });
  return tooMany === -1 ? parts.length : tooMany;
};

/** Changes that cancel each other out leave nothing to write. */
const hourWrites = (changes: readonly StatusChange[]): Write[] =>
  [...Map.groupBy(changes, (change) => hourKeyOf(change).SK).values()].flatMap((ofHour) => {
    const changed = [...addUp(ofHour.flatMap(effectOf))].filter(([, number]) => number !== 0);
    const [first] = ofHour;
    if (!first || changed.length === 0) return [];
    const { add, names, values } = numberedFields(changed);
    return [
      {
        Update: {
          Key: hourKeyOf(first),
          UpdateExpression: `ADD ${add}`,
          ExpressionAttributeNames: names,
          ExpressionAttributeValues: values,
        },
      },
    ];
  });

const markWrite = ({ key, version, seen }: Part, nowMs: number): Write => ({
  Put: {
    Item: { ...key, version: version + 1, seen, expiresAt: Math.floor(nowMs / 1_000) + rememberedSeconds },
    ...versionAsRead(version),
  },
});

const numbersIn = (item: Item): (readonly [string, number])[] =>
  Object.entries(item).flatMap(([name, value]) => (typeof value === 'number' ? [[name, value] as const] : []));

const oneIn = (row: Item): readonly [string, number] => [
  countName(row['channel'] as Channel, row['status'] as Status),
  1,
];
