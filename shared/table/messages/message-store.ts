import type { KeptContact } from '../../contacts/contact.ts';
import type { AccountRef } from '../../kit/account-ref.ts';
import type { Vault } from '../../kit/cipher.ts';
import { type CursorPage, filteredPage } from '../../kit/cursor-page.ts';
import { firstIdAt, isId, lastIdAt, timeOfId } from '../../kit/id.ts';
import { type Failure, failures, type RecordedFailure } from '../../messages/failures.ts';
import { type Channel, channels } from '../../messages/message.ts';
import type { MessageFilter } from '../../messages/message-filter.ts';
import type { Trigger } from '../../messages/moves.ts';
import type { AcceptedMessage } from '../../messages/new-message.ts';
import { giveBackWrites } from '../accounts/credit-items.ts';
import { addressFingerprint } from '../contacts/contact-items.ts';
import { changeWrites } from '../contacts/contact-writes.ts';
import { type ItemKey, itemKeys, partitions } from '../keys.ts';
import { before } from '../merged-rows.ts';
import type { Item, Table } from '../table.ts';
import { endUnsent } from './end-unsent.ts';
import {
  bodyKeyOf,
  lateReference,
  mayLieBeside,
  moveUpdate,
  onlyIf,
  type StoredMessage,
  withReference,
} from './message-items.ts';
import { openings } from './message-openings.ts';
import { messageKeys, placing } from './message-places.ts';
import { messageRows } from './message-rows.ts';
import { rowsTo } from './recipient-rows.ts';
import type { SpreadStore } from './spread-store.ts';

interface Wanted {
  readonly id: string;
  readonly channel?: Channel | undefined;
}

interface Page {
  readonly cursor?: string | undefined;
  readonly limit: number;
}

type Movable = Pick<AcceptedMessage, 'id' | 'channel' | 'price'>;

/** Messages: their rows, and the only way that their status moves. */
export const messageStore = (table: Table, vault: Vault, spreads: SpreadStore) => {
  const placeOf = placing(vault, spreads);
  const { open, openAll } = openings(table, vault);

  /** Without a channel, the message may lie in the partition of each. */
  const keysOf = async (account: AccountRef, { id, channel }: Wanted): Promise<readonly ItemKey[]> => {
    if (!isId(id)) return [];
    const spread = await spreads.of(account.id, timeOfId(id));
    return (channel === undefined ? channels : [channel]).map(
      (one) => messageKeys(account.id, spread, { id, channel: one }).item,
    );
  };

  /** Reads the rows of several messages together. Each can then be opened by itself. */
  const readEach = async (
    account: AccountRef,
    wanted: readonly Wanted[],
  ): Promise<readonly (() => Promise<StoredMessage | undefined>)[]> => {
    const keys = await Promise.all(wanted.map((one) => keysOf(account, one)));
    const items = (await table.getAll(keys.flat())).values();
    return keys.map((own) => {
      const item = own.map(() => items.next().value).find((each) => each !== undefined);
      return async () => item && open(account, item);
    });
  };

  const find = async (account: AccountRef, id: string, channel?: Channel): Promise<StoredMessage | undefined> => {
    const [message] = await readEach(account, [{ id, channel }]);
    return message?.();
  };

  /** Rows of messages newest first, after the message with the id `cursor`; `limit` at most. Those to one address in any channel and status. */
  const rowsOf = async (account: AccountRef, filter: MessageFilter, { cursor, limit }: Page): Promise<Item[]> => {
    const newest = lastIdAt(filter.createdBeforeMs ?? Number.MAX_SAFE_INTEGER);
    const page = {
      from: firstIdAt(filter.createdAfterMs ?? 0),
      to: cursor !== undefined && cursor <= newest ? before(cursor) : newest,
      limit,
    };
    if (page.from > page.to) return [];
    if (filter.to) {
      const fingerprint = addressFingerprint(await vault.unlock(account), filter.to);
      return rowsTo(table, partitions.messagesTo(account.id, fingerprint), page);
    }
    const spread = await spreads.of(account.id, timeOfId(page.to));
    return messageRows(table, account.id, spread).page(filter, { ...page, newestFirst: true });
  };

  return {
    find,
    readEach,

    /** Newest first. */
    list: (account: AccountRef, filter: MessageFilter, { cursor, limit }: Page): Promise<CursorPage<AcceptedMessage>> =>
      filteredPage(
        { cursor, limit },
        async (part) => {
          const rows = await rowsOf(account, filter, part);
          const opened = await openAll(account, rows);
          return rows.map((row, n) => ({ id: String(row['SK']), row: opened[n]?.message }));
        },
        ({ channel, status }) => (filter.channel ?? channel) === channel && (filter.status ?? status) === status,
        ({ metadata, tags }) => Buffer.byteLength(metadata.text + JSON.stringify(tags)),
      ),

    /**
     * Moves a message if its status permits; undefined when it does not, so that a late or repeated trigger changes nothing. `reference`: the
     * provider's id of the message, kept in any case.
     */
    move: async (
      account: AccountRef,
      message: Movable | AcceptedMessage,
      trigger: Trigger,
      nowMs: number,
      reference?: string,
    ): Promise<AcceptedMessage | undefined> => {
      const place = await placeOf(account, message);
      const moved = await table.update(withReference(moveUpdate(place, trigger, nowMs), place, reference));
      if (moved.done) return open(account, moved.item, 'metadata' in message ? message : undefined);
      if (reference !== undefined) await table.update(lateReference(place, reference));
      return undefined;
    },

    /** Moves a message and changes its contact with it, both or neither; false when the one or the other has changed meanwhile. */
    moveWithContact: async (
      account: AccountRef,
      message: Movable,
      { trigger, failure }: { readonly trigger: Trigger; readonly failure?: RecordedFailure },
      contact: { readonly before: KeptContact; readonly after: KeptContact } | undefined,
      nowMs: number,
    ): Promise<boolean> => {
      const place = await placeOf(account, message);
      const move = moveUpdate(place, trigger, nowMs, failure);
      if (!contact) return (await table.update(move)).done;
      const changes = changeWrites(account.id, place.cipher, contact.before, contact.after, { isOutcome: true });
      return (await table.transact([{ Update: move }, ...changes])) === undefined;
    },

    /**
     * Ends a message that was not sent and gives its price and slot back, all or nothing; false when its status no longer permits, or its
     * provider was called and may have taken it.
     */
    fail: async (
      account: AccountRef,
      message: Movable & Partial<Pick<StoredMessage, 'contactId' | 'slotMs'>>,
      trigger: Trigger,
      failure: Failure,
      nowMs: number,
    ): Promise<boolean> => {
      const place = await placeOf(account, message);
      const unclaimed = { condition: 'attribute_not_exists(claim)' };
      return endUnsent(table, place, message, { trigger, failure, nowMs }, unclaimed);
    },

    /** Ends the wait for a provider that may have taken a message: its price stays taken. False when it has moved on, or a worker is at work on it. */
    leaveUnconfirmed: async (account: AccountRef, message: Movable, nowMs: number): Promise<boolean> => {
      const move = moveUpdate(await placeOf(account, message), 'fateUnknown', nowMs, failures.unconfirmed);
      return (await table.update(onlyIf(move, 'claimedUntil < :nowMs', { ':nowMs': nowMs }))).done;
    },

    /** Deletes what lies beside a message's row, unless the row refers to it. */
    removeUnused: async (
      account: AccountRef,
      message: Pick<AcceptedMessage, 'id' | 'channel'>,
      body: string,
    ): Promise<void> => {
      const row = await table.get((await placeOf(account, message)).item);
      if (row?.['body'] !== body) await table.remove(itemKeys.messageBody(account.id, message.id, body));
    },

    /** Deletes a message that never left, and gives its credit back. A contact that was created for it stays. False when its status has moved on. */
    withdraw: async (account: AccountRef, message: AcceptedMessage): Promise<boolean> => {
      const { item } = await placeOf(account, message);
      const row = mayLieBeside(message) ? await table.get(item) : undefined;
      const refused = await table.transact([
        {
          Delete: {
            Key: item,
            ConditionExpression: '#status = :sending',
            ExpressionAttributeNames: { '#status': 'status' },
            ExpressionAttributeValues: { ':sending': 'sending' },
          },
        },
        ...giveBackWrites(account.id, message.price),
      ]);
      const body = row && bodyKeyOf(account.id, row);
      if (body && !refused) await table.remove(body);
      return refused === undefined;
    },
  };
};

export type MessageStore = ReturnType<typeof messageStore>;
