import type { KeptContact } from '../../contacts/contact.ts';
import type { AccountRef } from '../../kit/account-ref.ts';
import type { Vault } from '../../kit/cipher.ts';
import { type CursorPage, filteredPage, pageOf, type WantedPage } from '../../kit/cursor-page.ts';
import { isId, timeOfId } from '../../kit/id.ts';
import { type Failure, failures, type RecordedFailure } from '../../messages/failures.ts';
import { type Channel, channels } from '../../messages/message.ts';
import type { MessageFilter } from '../../messages/message-filter.ts';
import { moveBy, permits, type Trigger } from '../../messages/moves.ts';
import type { AcceptedMessage, Price } from '../../messages/new-message.ts';
import { channelsTo, type Recipient } from '../../messages/recipient.ts';
import { giveBackWrites } from '../accounts/credit-items.ts';
import { newestAfter } from '../after-cursor.ts';
import { addressFingerprint } from '../contacts/contact-items.ts';
import { changeWrites } from '../contacts/contact-writes.ts';
import { channelOfMessages, type ItemKey, itemKeys, partitions } from '../keys.ts';
import type { Item, Table } from '../table.ts';
import { endUnsent } from './end-unsent.ts';
import { lateReport } from './late-report.ts';
import {
  bodyKeyOf,
  lateReference,
  type MessageRow,
  moveUpdate,
  onlyIf,
  rowFrom,
  type StoredMessage,
  withReference,
} from './message-items.ts';
import { openings } from './message-openings.ts';
import { indexedAs, messageKeys, placing } from './message-places.ts';
import { messageRows } from './message-rows.ts';
import { rowsTo } from './recipient-rows.ts';
import type { SpreadStore } from './spread-store.ts';

interface Wanted {
  readonly id: string;
  readonly channel?: Channel | undefined;
}

/** `open` reads the rest. It gives undefined when the message is gone. */
interface ReadMessage {
  readonly row: MessageRow;
  readonly open: () => Promise<StoredMessage | undefined>;
}

/** How many rows a page of one status is chosen from where they lie together in all statuses: to one address, and those that are not in the index. */
const rowsPerPage = 50;
/** How many keys a page of one channel is chosen from. A phone has messages of two. */
const keysPerPage = 200;

const bytesOf = ({ metadata, tags }: AcceptedMessage): number =>
  Buffer.byteLength(metadata.text + JSON.stringify(tags));

const stretchOf = ({ createdAfterMs, createdBeforeMs }: MessageFilter, cursor: string | undefined) =>
  newestAfter(cursor, { fromMs: createdAfterMs, toMs: createdBeforeMs });

/** Whether rows of other statuses are read with those that fit. */
const isAmongOthers = ({ channel, status }: MessageFilter): boolean =>
  status !== undefined &&
  (channel === undefined ? channels : [channel]).some((one) => indexedAs(one, status) !== status);

const fitsIn =
  (filter: MessageFilter) =>
  ({ channel, status }: { readonly channel?: unknown; readonly status?: unknown }): boolean =>
    (filter.channel ?? channel) === channel && (filter.status ?? status) === status;

type Movable = Pick<AcceptedMessage, 'id' | 'channel' | 'price'>;

/** With the shard that paid it, which the request that accepts an email does not know. */
const paidPrice = (row: Item | undefined, { price }: Movable): Price => (row ? (row['price'] as Price) : price);

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

  /** Reads the rows of several messages together. Each can then be opened by itself, where more than its row is needed. */
  const readEach = async (
    account: AccountRef,
    wanted: readonly Wanted[],
  ): Promise<readonly (ReadMessage | undefined)[]> => {
    const keys = await Promise.all(wanted.map((one) => keysOf(account, one)));
    const items = (await table.getAll(keys.flat())).values();
    return keys.map((own) => {
      const item = own.map(() => items.next().value).find((each) => each !== undefined);
      return item && { row: rowFrom(item), open: () => open(account, item) };
    });
  };

  const read = async (account: AccountRef, id: string, channel?: Channel): Promise<ReadMessage | undefined> => {
    const [message] = await readEach(account, [{ id, channel }]);
    return message;
  };

  /** To one address, messages of all channels and statuses lie together, so a page may be short, or empty, and have more. */
  const pageTo = async (
    account: AccountRef,
    address: Recipient['contact'],
    filter: MessageFilter,
    page: WantedPage,
  ): Promise<CursorPage<AcceptedMessage>> => {
    const { channel, status } = filter;
    const possible = channelsTo(address);
    if (channel && !possible.includes(channel)) return pageOf([], page.limit);
    const limit = status ? Math.max(page.limit + 1, rowsPerPage) : page.limit + 1;
    const { rows, last } = await rowsTo(
      table,
      partitions.messagesTo(account.id, addressFingerprint(await vault.unlock(account), address)),
      { ...stretchOf(filter, page.cursor), limit },
      {
        lookedAt: channel && possible.length > 1 ? Math.max(limit, keysPerPage) : limit,
        isWanted: ({ PK }) => channel === undefined || (channelOfMessages(PK) ?? channel) === channel,
      },
    );
    const fitting = rows.filter(fitsIn(filter)).slice(0, page.limit + 1);
    const messages = (await openAll(account, fitting)).flatMap((opened) => opened?.message ?? []);
    const areAsTheyWere = messages.length === fitting.length && messages.every(fitsIn(filter));
    return areAsTheyWere ? pageOf(messages, page.limit, bytesOf, last) : pageTo(account, address, filter, page);
  };

  return {
    find: async (account: AccountRef, id: string, channel?: Channel): Promise<StoredMessage | undefined> =>
      (await read(account, id, channel))?.open(),

    read,
    readEach,

    /** Newest first. */
    list: async (
      account: AccountRef,
      filter: MessageFilter,
      page: WantedPage,
    ): Promise<CursorPage<AcceptedMessage>> => {
      if (filter.to) return pageTo(account, filter.to, filter, page);
      return filteredPage(
        page,
        async ({ cursor, limit }) => {
          const most = isAmongOthers(filter) ? Math.max(limit, rowsPerPage) : limit;
          const stretch = { ...stretchOf(filter, cursor), limit: most, newestFirst: true };
          const spread = await spreads.of(account.id, timeOfId(stretch.to));
          const rows = await messageRows(table, account.id, spread).page(filter, stretch);
          const fitting = rows.filter(fitsIn(filter));
          const opened = new Map((await openAll(account, fitting)).map((one, n) => [fitting[n], one?.message]));
          return rows.map((row) => ({ id: String(row['SK']), row: opened.get(row) }));
        },
        fitsIn(filter),
        bytesOf,
      );
    },

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

    /**
     * Moves a message and changes its contact with it, both or neither; false when the one or the other has changed meanwhile, or the recipient
     * has been erased whom a reason may quote. With a message that does not move, the report is kept, once.
     */
    moveWithContact: async (
      account: AccountRef,
      message: AcceptedMessage,
      { trigger, failure }: { readonly trigger: Trigger; readonly failure?: RecordedFailure },
      contact: { readonly before: KeptContact; readonly after: KeptContact } | undefined,
      nowMs: number,
    ): Promise<boolean> => {
      const place = await placeOf(account, message);
      const move = moveUpdate(place, trigger, nowMs, { failure });
      // A reason may quote the recipient, who may have been erased since the message was read.
      const recorded = failure?.reason === undefined ? move : onlyIf(move, 'attribute_exists(contactId)');
      const update = permits(trigger, message) ? recorded : lateReport(place, moveBy(trigger).to);
      if (!contact) return (await table.update(update)).done;
      const changes = changeWrites(account.id, place.cipher, contact.before, contact.after, { isOutcome: true });
      return (await table.transact([{ Update: update }, ...changes])) === undefined;
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
      const price = message.channel === 'email' ? paidPrice(await table.get(place.item), message) : message.price;
      return endUnsent(table, place, { ...message, price }, { trigger, failure, nowMs }, unclaimed);
    },

    /** Ends the wait for a provider that may have taken a message: its price stays taken. False when it has moved on, or a worker is at work on it. */
    leaveUnconfirmed: async (account: AccountRef, message: Movable, nowMs: number): Promise<boolean> => {
      const move = moveUpdate(await placeOf(account, message), 'fateUnknown', nowMs, { failure: failures.unconfirmed });
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

    /**
     * Deletes a message that never left, and gives its credit back. A contact that was created for it stays. False when its status has moved on,
     * or another run than this one has accepted it.
     */
    withdraw: async (account: AccountRef, message: AcceptedMessage, run?: string): Promise<boolean> => {
      const { item } = await placeOf(account, message);
      const row = await table.get(item);
      const refused = await table.transact([
        {
          Delete: {
            Key: item,
            ConditionExpression: `#status = :sending${run === undefined ? '' : ' AND #run = :run'}`,
            ExpressionAttributeNames: { '#status': 'status', ...(run !== undefined && { '#run': 'run' }) },
            ExpressionAttributeValues: { ':sending': 'sending', ...(run !== undefined && { ':run': run }) },
          },
        },
        ...giveBackWrites(account.id, paidPrice(row, message)),
      ]);
      const body = row && bodyKeyOf(account.id, row);
      if (body && !refused) await table.remove(body);
      return refused === undefined;
    },
  };
};

export type MessageStore = ReturnType<typeof messageStore>;
