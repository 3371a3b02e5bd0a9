import { type Due, type DueEntity, type DuePlace, dueEntities } from '../../checkout/due.ts';
import { openShards } from '../../chores/stranded.ts';
import { idAt, timeOfId } from '../../kit/id.ts';
import { idsUntil } from '../every-id.ts';
import { type ItemKey, keyIn, partitions } from '../keys.ts';
import { optionalText } from '../optional.ts';
import type { Item, Table } from '../table.ts';

/** A row whose time has come. */
export type DueRow = Due & {
  readonly key: ItemKey;
  /** Its key in the index, which contains the time. */
  readonly dueId: string;
};

interface Kind {
  readonly partition: (shard: number) => { readonly GSI1PK: string };
  readonly only: readonly string[];
  readonly dueIn: (item: Item) => Due;
}

const kinds: Readonly<Record<DueEntity, Kind>> = {
  session: {
    partition: partitions.openSessions,
    only: ['status', 'expiresMs', 'livePaymentId'],
    dueIn: ({ account, session, status, expiresMs, livePaymentId }) => ({
      entity: 'session',
      account: String(account),
      session: String(session),
      isOpen: status === 'OPEN',
      expiresMs: Number(expiresMs),
      livePaymentId: optionalText(livePaymentId),
    }),
  },
  payment: {
    partition: partitions.openPayments,
    only: ['payment', 'gatewayCode', 'status', 'opened'],
    dueIn: ({ account, session, payment, gatewayCode, status, opened }) => ({
      entity: 'payment',
      account: String(account),
      session: String(session),
      payment: String(payment),
      gatewayCode: String(gatewayCode),
      createdMs: timeOfId(String(payment)),
      isPending: status === 'PENDING',
      isOpened: opened !== undefined,
    }),
  },
  refund: {
    partition: partitions.openRefunds,
    only: ['refund'],
    dueIn: ({ account, session, refund }) => ({
      entity: 'refund',
      account: String(account),
      session: String(session),
      refund: String(refund),
      createdMs: timeOfId(String(refund)),
    }),
  },
};

/** Finds sessions, payments and refunds by the time at which something about them is due. What the previous release opened is due at once. */
export const dueStore = (table: Table, pageSize = 100) => ({
  places: dueEntities.flatMap((entity): DuePlace[] =>
    Array.from({ length: openShards }, (_, shard) => ({ entity, shard })),
  ),

  /** When the first row of one place is due, if any is until then. */
  firstMs: async ({ entity, shard }: DuePlace, untilMs: number): Promise<number | undefined> => {
    const [first] = await table.query(kinds[entity].partition(shard), {
      ...idsUntil(untilMs),
      newestFirst: false,
      limit: 1,
      only: ['GSI1SK'],
    });
    return first && timeOfId(String(first['GSI1SK']));
  },

  /** The rows of one place that are due, longest overdue first; `isMore`: there may be others. */
  page: async (
    { entity, shard }: DuePlace,
    nowMs: number,
  ): Promise<{ readonly rows: readonly DueRow[]; readonly isMore: boolean }> => {
    const { partition, only, dueIn } = kinds[entity];
    const items = await table.query(partition(shard), {
      ...idsUntil(nowMs),
      newestFirst: false,
      limit: pageSize,
      only: ['PK', 'SK', 'GSI1SK', 'account', 'session', ...only],
    });
    const rows = items.map((item) => ({
      ...dueIn(item),
      key: keyIn(item),
      dueId: String(item['GSI1SK']),
    }));
    return { rows, isMore: rows.length === pageSize };
  },

  /** Makes a row due at another time, or never again. Changes nothing if it has moved or ended since it was read. */
  postpone: async ({ key, dueId }: Pick<DueRow, 'key' | 'dueId'>, nextMs: number | undefined): Promise<void> => {
    await table.update({
      Key: key,
      UpdateExpression: nextMs === undefined ? 'REMOVE GSI1PK, GSI1SK' : 'SET GSI1SK = :next',
      ConditionExpression: 'GSI1SK = :due',
      ExpressionAttributeValues: { ':due': dueId, ...(nextMs !== undefined && { ':next': idAt(dueId, nextMs) }) },
    });
  },
});

export type DueStore = ReturnType<typeof dueStore>;
