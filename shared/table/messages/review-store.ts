import { messagePlacesOf } from '../../accounts/stranded.ts';
import type { AccountRef } from '../../kit/account-ref.ts';
import type { Vault } from '../../kit/cipher.ts';
import { firstIdAt, idAt, lastIdAt } from '../../kit/id.ts';
import { indexKeys, itemKeys, partitions } from '../keys.ts';
import type { Item, Table } from '../table.ts';
import { placing } from './message-places.ts';
import { messageRows } from './message-rows.ts';
import { type DueMessage, dueMessageFrom, dueShardOf, dueShards } from './scheduled-store.ts';
import type { SpreadStore } from './spread-store.ts';

/** No sweep reads this shard of what is due, so a message in it is not sent. */
const reviewShard = dueShards;

const rowsAtOnce = 200;

type Named = Pick<DueMessage, 'message' | 'channel'>;

/** What is done with the messages of a table that was restored, before it sends again. */
export const reviewStore = (table: Table, vault: Vault, spreads: SpreadStore) => {
  const placeOf = placing(vault, spreads);

  async function* rowsOf(shard: number, untilMs: number): AsyncGenerator<DueMessage> {
    let from = firstIdAt(0);
    for (;;) {
      const stretch = { from, to: lastIdAt(untilMs), newestFirst: false, limit: rowsAtOnce };
      const rows = (await table.query(partitions.dueMessages(shard), stretch)).map(dueMessageFrom);
      yield* rows;
      const last = rows.at(-1);
      if (!last || rows.length < rowsAtOnce) return;
      from = `${last.dueId}0`;
    }
  }

  return {
    /** Messages of an account that are being sent, or are to be sent at once. A text that is claimed meanwhile is not found again. */
    async *begun(accountId: string, nowMs: number): AsyncGenerator<Named> {
      const rows = messageRows(table, accountId, await spreads.of(accountId, nowMs));
      for (const { channel, status } of messagePlacesOf(accountId).toReversed()) {
        const stretch = { from: firstIdAt(0), to: lastIdAt(nowMs), only: ['SK', 'held'] };
        for (const { SK, held } of await rows.all({ channel, status }, stretch))
          if (held === undefined) yield { message: String(SK), channel };
      }
    },

    /** Scheduled messages that wait in the table and are due until then. */
    async *due(untilMs: number): AsyncGenerator<DueMessage> {
      for (let shard = 0; shard < dueShards; shard += 1) yield* rowsOf(shard, untilMs);
    },

    /** Those that wait for a decision, longest overdue first. */
    held: (): AsyncGenerator<DueMessage> => rowsOf(reviewShard, Number.MAX_SAFE_INTEGER),

    /** Has a scheduled message wait for a decision. It can still be cancelled. */
    hold: async ({ account, message, dueId }: DueMessage): Promise<void> => {
      await table.update({
        Key: itemKeys.dueMessage(account, message),
        UpdateExpression: 'SET GSI1PK = :review',
        ConditionExpression: 'GSI1SK = :due',
        ExpressionAttributeValues: { ':review': indexKeys.dueMessage(reviewShard, dueId).GSI1PK, ':due': dueId },
      });
    },

    /** Lets a message that waits for a decision be sent, by the next sweep. */
    release: async ({ account, message, dueId }: DueMessage, nowMs: number): Promise<void> => {
      const { GSI1PK, GSI1SK } = indexKeys.dueMessage(dueShardOf(message), idAt(message, nowMs));
      await table.update({
        Key: itemKeys.dueMessage(account, message),
        UpdateExpression: 'SET GSI1PK = :shard, GSI1SK = :now',
        ConditionExpression: 'GSI1SK = :due',
        ExpressionAttributeValues: { ':shard': GSI1PK, ':now': GSI1SK, ':due': dueId },
      });
    },

    /** A message's rows as another table has them: its own, and the one that says when it is due. */
    rowsIn: async (other: Pick<Table, 'getAll'>, account: AccountRef, { message: id, channel }: Named) => {
      const { item } = await placeOf(account, { id, channel });
      const [row, due] = await other.getAll([item, itemKeys.dueMessage(account.id, id)]);
      return { row, due };
    },

    /** Has a message be what it is in another table. */
    putRows: async (account: AccountRef, { message: id }: Named, row: Item, due: Item | undefined): Promise<void> => {
      await table.put({ Item: row });
      if (due) await table.put({ Item: due });
      else await table.remove(itemKeys.dueMessage(account.id, id));
    },
  };
};
