import type { KeptContact } from '../../contacts/contact.ts';
import type { AccountRef } from '../../kit/account-ref.ts';
import type { Vault } from '../../kit/cipher.ts';
import { firstIdAt, isId, lastIdAt } from '../../kit/id.ts';
import { type Failure, failures } from '../../messages/failures.ts';
import { type Channel, channels, type Status, statuses } from '../../messages/message.ts';
import type { Trigger } from '../../messages/moves.ts';
import type { AcceptedMessage } from '../../messages/new-message.ts';
import { giveBackWrites } from '../accounts/credit-items.ts';
import { changeWrites } from '../contacts/contact-writes.ts';
import { itemKeys, partitions } from '../keys.ts';
import type { Item, Table } from '../table.ts';
import { endUnsentWrites, messageFrom, moveUpdate, onlyIf, type StoredMessage } from './message-items.ts';

export interface MessageFilter {
  readonly channel?: Channel | undefined;
  readonly status?: Status | undefined;
  readonly createdAfterMs?: number | undefined;
  readonly createdBeforeMs?: number | undefined;
}

type Movable = Pick<AcceptedMessage, 'id' | 'channel' | 'price'>;

/** Messages: their rows, and the only way that their status moves. */
export const messageStore = (table: Table, vault: Vault) => {
  const find = async (account: AccountRef, id: string): Promise<StoredMessage | undefined> => {
    const item = isId(id) ? await table.get(itemKeys.message(account.id, id)) : undefined;
    return item && messageFrom(account.id, await vault.unlock(account), item);
  };

  return {
    find,

    /** A message as it was when the stream showed this image of it. */
    fromImage: async (account: AccountRef, image: Item): Promise<StoredMessage> =>
      messageFrom(account.id, await vault.unlock(account), image),

    /** Newest first, after the message with the id `cursor`; `limit` at most. */
    list: async (
      account: AccountRef,
      filter: MessageFilter,
      { cursor, limit }: { readonly cursor?: string | undefined; readonly limit: number },
    ): Promise<AcceptedMessage[]> => {
      const newest = lastIdAt(filter.createdBeforeMs ?? Number.MAX_SAFE_INTEGER);
      const page = {
        from: firstIdAt(filter.createdAfterMs ?? 0),
        to: cursor !== undefined && cursor <= newest ? before(cursor) : newest,
        newestFirst: true,
        limit,
      };
      if (page.from > page.to) return [];
      const cipher = await vault.unlock(account);
      const found = await Promise.all(
        partitionsFor(account.id, filter).map((partition) => table.query(partition, page)),
      );
      return found
        .flat()
        .sort((a, b) => (String(a['SK']) < String(b['SK']) ? 1 : -1))
        .slice(0, limit)
        .map((item) => messageFrom(account.id, cipher, item));
    },

    /** Moves a message if its status permits; undefined when it does not, so that a late or repeated trigger changes nothing. */
    move: async (
      account: AccountRef,
      message: Movable,
      trigger: Trigger,
      nowMs: number,
    ): Promise<AcceptedMessage | undefined> => {
      const cipher = await vault.unlock(account);
      const moved = await table.update(moveUpdate(account.id, cipher, message, trigger, nowMs));
      return moved.done ? messageFrom(account.id, cipher, moved.item) : undefined;
    },

    /** Moves a message and changes its contact with it, both or neither; false when the one or the other has changed meanwhile. */
    moveWithContact: async (
      account: AccountRef,
      message: Movable,
      { trigger, failure }: { readonly trigger: Trigger; readonly failure?: Failure },
      contact: { readonly before: KeptContact; readonly after: KeptContact } | undefined,
      nowMs: number,
    ): Promise<boolean> => {
      const cipher = await vault.unlock(account);
      const isChanged = contact !== undefined && contact.after !== contact.before;
      const refused = await table.transact([
        { Update: moveUpdate(account.id, cipher, message, trigger, nowMs, failure) },
        ...(isChanged ? changeWrites(account.id, cipher, contact.before, contact.after) : []),
      ]);
      return refused === undefined;
    },

    /**
     * Ends a message that was not sent and gives its price back, both or neither; false when its status no longer permits, or its provider
     * was called and may have taken it.
     */
    fail: async (
      account: AccountRef,
      message: Movable,
      trigger: Trigger,
      failure: Failure,
      nowMs: number,
    ): Promise<boolean> => {
      const cipher = await vault.unlock(account);
      const unclaimed = { condition: 'attribute_not_exists(claim)' };
      const refused = await table.transact(
        endUnsentWrites(account.id, cipher, message, { trigger, failure, nowMs }, unclaimed),
      );
      return refused === undefined;
    },

    /** Ends the wait for a provider that may have taken a message: its price stays taken. False when it has moved on, or a worker is at work on it. */
    leaveUnconfirmed: async (account: AccountRef, message: Movable, nowMs: number): Promise<boolean> => {
      const cipher = await vault.unlock(account);
      const move = moveUpdate(account.id, cipher, message, 'fateUnknown', nowMs, failures.unconfirmed);
      return (await table.update(onlyIf(move, 'claimedUntil < :nowMs', { ':nowMs': nowMs }))).done;
    },

    /** Deletes a message that never left, and gives its credit back. A contact that was created for it stays. False when its status has moved on. */
    withdraw: async (account: AccountRef, message: Movable): Promise<boolean> => {
      const refused = await table.transact([
        {
          Delete: {
            Key: itemKeys.message(account.id, message.id),
            ConditionExpression: '#status = :sending',
            ExpressionAttributeNames: { '#status': 'status' },
            ExpressionAttributeValues: { ':sending': 'sending' },
          },
        },
        ...giveBackWrites(account.id, message.price),
      ]);
      return refused === undefined;
    },
  };
};

export type MessageStore = ReturnType<typeof messageStore>;

/** The greatest sort key below this id: ids end in a hexadecimal digit, and `/` comes right before `0`. */
const before = (id: string): string => `${id.slice(0, -1)}${String.fromCharCode(id.charCodeAt(id.length - 1) - 1)}`;

/** Without a filter the table itself is in order; with one, only the index partitions that it names are read. */
const partitionsFor = (accountId: string, { channel, status }: MessageFilter) => {
  if (channel === undefined && status === undefined) return [partitions.messages(accountId)];
  const wantedChannels = channel === undefined ? channels : [channel];
  const wantedStatuses = status === undefined ? statuses : [status];
  return wantedChannels.flatMap((one) => wantedStatuses.map((other) => partitions.messagesWith(accountId, one, other)));
};
