import { type MessagePartition, openShards } from '../../chores/stranded.ts';
import { idAt, lastByteOf, timeOfId } from '../../kit/id.ts';
import { isOverdue } from '../../kit/overdue.ts';
import { oldestAfter } from '../after-cursor.ts';
import { deliveryIn, indexKeys, keyIn, partitions } from '../keys.ts';
import { isOwn, messageRows } from '../messages/message-rows.ts';
import type { SpreadStore } from '../messages/spread-store.ts';
import { optionalText } from '../optional.ts';
import type { Item, Table } from '../table.ts';

/** The overdue rows of one page; `next`: the cursor of the next page, if there may be one. */
export interface StrandedPage<Row> {
  readonly overdue: readonly Row[];
  readonly next: string | undefined;
}

export interface OverdueMessage {
  readonly message: string;
  /** When it was due: a scheduled one at its time. */
  readonly beganMs: number;
  /** The run that sends it, of an email. */
  readonly run: string | undefined;
}

export interface OpenDelivery {
  readonly account: string;
  readonly webhook: string;
  readonly delivery: string;
  readonly attemptsMade: number;
  /** Those of earlier rounds. */
  readonly earlierAttempts: number;
}

interface Position {
  /** The row before the page. */
  readonly after: string;
  readonly roundMs: number;
}

/**
 * The place of a row in the index while it is open: of a delivery by when it began, of the others by when something about it is due. An ended
 * one has none, so a query for open ones reads nothing else.
 */
export const openKeyOf = (
  entity: 'checkoutSession' | 'payment' | 'refund' | 'delivery',
  id: string,
  atMs = timeOfId(id),
) => indexKeys[entity](lastByteOf(id) % openShards, idAt(id, atMs));

/** Finds work that has not ended in its time, by the index: messages by their status, deliveries by being open. */
export const strandedStore = (table: Table, spreads: SpreadStore, pageSize = 500) => ({
  messages: async (
    { account, channel, status }: MessagePartition,
    position: Position,
  ): Promise<StrandedPage<OverdueMessage>> => {
    const { after, roundMs } = position;
    const stretch = {
      ...oldestAfter(after || undefined, { toMs: roundMs }),
      newestFirst: false,
      limit: pageSize,
      only: ['SK', 'status', 'origin', 'held', 'scheduledAt', 'run'],
    };
    const spread = await spreads.of(account, roundMs);
    const rows = await messageRows(table, account, spread).page({ channel, status }, stretch);
    const began = ({ SK, scheduledAt }: Item): number =>
      scheduledAt === undefined ? timeOfId(String(SK)) : Date.parse(String(scheduledAt));
    // Those that are held wait for their time, which another round looks after.
    const open = rows.filter((row) => row['status'] === status && isOwn(row) && row['held'] === undefined);
    const begun = open.map((row) => ({
      message: String(row['SK']),
      beganMs: began(row),
      run: optionalText(row['run']),
    }));
    return {
      overdue: begun.filter(({ beganMs }) => isOverdue(beganMs, roundMs)),
      next: rows.length < pageSize ? undefined : String(rows.at(-1)?.['SK']),
    };
  },

  deliveries: async (shard: number, { after, roundMs }: Position): Promise<StrandedPage<OpenDelivery>> => {
    const rows = await table.query(partitions.openDeliveries(shard), {
      ...oldestAfter(after || undefined, { toMs: roundMs }),
      newestFirst: false,
      limit: pageSize,
      only: ['GSI1SK', 'PK', 'SK', 'account', 'attemptsMade', 'earlierAttempts'],
    });
    const overdue = rows.filter(({ GSI1SK }) => isOverdue(timeOfId(String(GSI1SK)), roundMs));
    return {
      overdue: overdue.map(({ PK, SK, account, attemptsMade, earlierAttempts }) => ({
        ...deliveryIn(keyIn({ PK, SK })),
        account: String(account),
        attemptsMade: Number(attemptsMade),
        earlierAttempts: Number(earlierAttempts),
      })),
      next: rows.length < pageSize ? undefined : String(rows.at(-1)?.['GSI1SK']),
    };
  },
});

export type StrandedStore = ReturnType<typeof strandedStore>;
