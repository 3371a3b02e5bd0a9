import { type MessagePlace, type OpenPlace, openShards } from '../accounts/stranded.ts';
import { lastIdAt, timeOfId } from '../kit/id.ts';
import { isOverdue } from '../kit/overdue.ts';
import { indexKeys, partitions } from './keys.ts';
import type { Item, Table } from './table.ts';

/** Rows that are read at a time. */
const pageSize = 500;

/** What is overdue among the rows of one page; `next`: where the following page begins, if there may be one. */
export interface StrandedPage<Row> {
  readonly overdue: readonly Row[];
  readonly next: string | undefined;
}

export interface OpenRow {
  readonly session: string;
  /** Of the payment or the refund. */
  readonly id: string;
  /** The code of a payment's gateway. */
  readonly gatewayCode: string;
  /** The gateway has said where the payer pays. */
  readonly isOpened: boolean;
}

interface Position {
  /** The row before the page. */
  readonly after: string;
  readonly roundMs: number;
}

/** The place of a row in the index while it is open; an ended one has none, so whoever looks for open ones reads nothing else. */
export const openKeyOf = (entity: OpenPlace['entity'], id: string) =>
  indexKeys[entity](Number.parseInt(id.slice(-2), 16) % openShards, id);

/** Finds work that has not ended in its time, by the index: messages by their status, payments and refunds by being open. */
export const strandedStorage = (table: Table) => {
  const page = async (
    partition: { readonly GSI1PK: string },
    { after, roundMs }: Position,
    only: readonly string[],
  ): Promise<StrandedPage<Item>> => {
    const rows = await table.query(partition, {
      from: `${after}0`,
      to: lastIdAt(roundMs),
      newestFirst: false,
      limit: pageSize,
      only: ['GSI1SK', ...only],
    });
    const overdue = rows.filter(({ GSI1SK }) => isOverdue(timeOfId(String(GSI1SK)), roundMs));
    return { overdue, next: rows.length < pageSize ? undefined : String(rows.at(-1)?.['GSI1SK']) };
  };

  return {
    /** Ids of messages. */
    messages: async ({ account, channel, status }: MessagePlace, position: Position): Promise<StrandedPage<string>> => {
      const { overdue, next } = await page(partitions.messagesWith(account, channel, status), position, []);
      return { overdue: overdue.map(({ GSI1SK }) => String(GSI1SK)), next };
    },

    open: async ({ entity, shard }: OpenPlace, position: Position): Promise<StrandedPage<OpenRow>> => {
      const partition = entity === 'payment' ? partitions.openPayments(shard) : partitions.openRefunds(shard);
      const { overdue, next } = await page(partition, position, ['session', 'gatewayCode', 'opened']);
      const rows = overdue.map(({ session, GSI1SK, gatewayCode, opened }) => ({
        session: String(session),
        id: String(GSI1SK),
        gatewayCode: String(gatewayCode),
        isOpened: opened !== undefined,
      }));
      return { overdue: rows, next };
    },
  };
};

export type Stranded = ReturnType<typeof strandedStorage>;
