import { messagePartitionsOf } from '../../chores/stranded.ts';
import type { AccountRef } from '../../kit/account-ref.ts';
import type { Vault } from '../../kit/cipher.ts';
import { idAt, timeOfId } from '../../kit/id.ts';
import type { Status } from '../../messages/message.ts';
import type { Price } from '../../messages/new-message.ts';
import { giveBackWrites } from '../accounts/credit-items.ts';
import { everyId, idsUntil } from '../every-id.ts';
import { indexKeys, itemKeys, partitions } from '../keys.ts';
import type { Item, Table } from '../table.ts';
import { analyticsStore } from './analytics-store.ts';
import { type DueMessage, dueMessageFrom, dueShardOf, reviewPartition, sweptShards } from './due-items.ts';
import { mailIn, mailPartKeys } from './mail-parts.ts';
import { bodyKeyOf } from './message-items.ts';
import { placing } from './message-places.ts';
import { isOwn, messageRows } from './message-rows.ts';
import type { SpreadStore } from './spread-store.ts';

/** Another run may have taken the message over, and given its credits back. */
const asRead = ({ status }: Item) => ({
  ConditionExpression: '#status = :read',
  ExpressionAttributeNames: { '#status': 'status' },
  ExpressionAttributeValues: { ':read': status },
});

/** What is left of a price when these credits stay taken. */
const differenceOf = (price: Price, credits: number): Price => ({ ...price, credits: price.credits - credits });

/** Another table than the restored one. */
type Readable = Pick<Table, 'getAll'>;

/** A message of the restored table, as jobs name it. */
type RestoredMessage = Pick<DueMessage, 'message' | 'channel'>;

/** What is done with the messages of a table that was restored, before it sends again. */
export const reviewStore = (table: Table, vault: Vault, spreads: SpreadStore) => {
  const placeOf = placing(vault, spreads);
  const analytics = analyticsStore(table, spreads);

  /** Counts a message as what it is about to become, because no stream has the change. What it has taken stays as it was, unless `credits` says more. */
  const countMove = async (
    account: AccountRef,
    { message: id, channel }: RestoredMessage,
    { to, credits }: { readonly to: Status; readonly credits?: number },
    nowMs: number,
  ) => {
    const { item } = await placeOf(account, { id, channel });
    const row = await table.get(item);
    if (!row || row['status'] === to) return;
    const before = { status: row['status'] as Status, price: row['price'] as Price };
    const after = { status: to, price: { ...before.price, ...(credits !== undefined && { credits }) } };
    const change = { account: account.id, id, channel, partition: item.PK, atMs: timeOfId(id) };
    // The sequence is the same for every repetition, so that the move counts once.
    await analytics.record([{ ...change, before, after, sequence: `restored ${to}` }], nowMs);
  };

  /** Has the content that an email waits with be that of `due`: of one that was put off since, only the other table has it. */
  const takeContent = async (
    accountId: string,
    id: string,
    other: Readable,
    { due, dueBefore }: Readonly<Record<'due' | 'dueBefore', Item | undefined>>,
  ): Promise<void> => {
    const [wanted, here] = [due, dueBefore].map(mailIn);
    if (wanted?.attempt === here?.attempt) return;
    for (const Item of await other.getAll(wanted ? mailPartKeys(accountId, id, wanted) : []))
      if (Item) await table.put({ Item });
    if (here) await Promise.all(mailPartKeys(accountId, id, here).map((part) => table.remove(part)));
  };

  async function* rowsOf(partition: typeof reviewPartition): AsyncGenerator<DueMessage> {
    for await (const rows of table.parts(partition, { ...everyId, newestFirst: false }))
      yield* rows.map(dueMessageFrom);
  }

  return {
    countMove,

    /** Messages of an account that are being sent, or are to be sent at once. A text that is claimed meanwhile is not found again. */
    async *begun(accountId: string, nowMs: number): AsyncGenerator<RestoredMessage> {
      const rows = messageRows(table, accountId, await spreads.of(accountId, nowMs));
      for (const { channel, status } of messagePartitionsOf(accountId).toReversed()) {
        const stretch = { ...idsUntil(nowMs), only: ['SK', 'status', 'origin', 'held'] };
        for (const row of (await rows.all({ channel, status }, stretch)).filter(isOwn))
          if (row['status'] === status && row['held'] === undefined) yield { message: String(row['SK']), channel };
      }
    },

    /** Scheduled messages that wait in the table. */
    async *due(): AsyncGenerator<DueMessage> {
      for (const shard of sweptShards) yield* rowsOf(partitions.dueMessages(shard));
    },

    /** Those that wait for a decision, longest overdue first. */
    held: (): AsyncGenerator<DueMessage> => rowsOf(reviewPartition),

    /** Has a scheduled message wait for a decision. It can still be cancelled. */
    hold: async ({ account, message, dueId }: DueMessage): Promise<void> => {
      await table.update({
        Key: itemKeys.dueMessage(account, message),
        UpdateExpression: 'SET GSI1PK = :review',
        ConditionExpression: 'GSI1SK = :due',
        ExpressionAttributeValues: { ':review': reviewPartition.GSI1PK, ':due': dueId },
      });
    },

    /** Takes the content out of a text that has been claimed: no provider can be given it again, not even one that takes our reference. */
    removeContent: async (account: AccountRef, { message: id, channel }: RestoredMessage): Promise<void> => {
      await table.update({
        Key: (await placeOf(account, { id, channel })).item,
        UpdateExpression: 'REMOVE content',
        ConditionExpression: '#status = :sending AND attribute_exists(claim) AND attribute_exists(content)',
        ExpressionAttributeNames: { '#status': 'status' },
        ExpressionAttributeValues: { ':sending': 'sending' satisfies Status },
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
    rowsIn: async (other: Readable, account: AccountRef, { message: id, channel }: RestoredMessage) => {
      const { item } = await placeOf(account, { id, channel });
      const [row, due] = await other.getAll([item, itemKeys.dueMessage(account.id, id)]);
      return { row, due };
    },

    /**
     * Has a message be what it is in another table, and counts it as that. What it took here and has not taken there is given back with that, once.
     * What lies beside it here and not there is removed: no erasure would find it.
     */
    putRows: async (
      account: AccountRef,
      named: RestoredMessage,
      { other, row, due }: { readonly other: Readable; readonly row: Item; readonly due: Item | undefined },
      nowMs: number,
    ): Promise<void> => {
      const { credits } = row['price'] as Price;
      await countMove(account, named, { to: row['status'] as Status, credits }, nowMs);
      const { item } = await placeOf(account, { id: named.message, channel: named.channel });
      const wait = itemKeys.dueMessage(account.id, named.message);
      const [before, dueBefore] = await table.getAll([item, wait]);
      const body = before && before['body'] !== row['body'] ? bodyKeyOf(account.id, before) : undefined;
      await takeContent(account.id, named.message, other, { due, dueBefore });
      await table.transact([
        { Put: { Item: row, ...(before && asRead(before)) } },
        ...(before ? giveBackWrites(account.id, differenceOf(before['price'] as Price, credits)) : []),
        ...(body ? [{ Delete: { Key: body } }] : []),
        due ? { Put: { Item: due } } : { Delete: { Key: wait } },
      ]);
    },
  };
};
