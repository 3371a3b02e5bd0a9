import type { AccountRef } from '../kit/account-ref.ts';
import type { Cipher, Vault } from '../kit/cipher.ts';
import { firstIdAt, isId, lastIdAt, timeOfId } from '../kit/id.ts';
import { iso } from '../kit/time.ts';
import type { AcceptedMessage, Price } from '../messages/accept.ts';
import { type Channel, channels, type Message, type Status, statuses } from '../messages/message.ts';
import { moveBy, type Trigger } from '../messages/moves.ts';
import type { TrafficJob } from '../messages/traffic.ts';
import { indexKeys, itemKeys, partitions } from './keys.ts';
import type { Item, Table, Write } from './table.ts';

type Movable = Pick<AcceptedMessage, 'id' | 'channel' | 'price'>;

/** A message as it lies in the table, with the contact that it went to. */
export type StoredMessage = AcceptedMessage & { readonly contactId: string | undefined };

export interface Failure {
  readonly code: string;
  readonly reason: string;
}

export interface MessageFilter {
  readonly channel?: Channel | undefined;
  readonly status?: Status | undefined;
  readonly createdAfterMs?: number | undefined;
  readonly createdBeforeMs?: number | undefined;
}

const place = (account: string, id: string, field: string) => `${itemKeys.message(account, id).PK}/${id}/${field}`;

/** A message's item, opened. */
export const messageFrom = (accountId: string, cipher: Cipher, item: Item): StoredMessage => {
  const id = String(item['SK']);
  const text = (field: string) => (item[field] === undefined ? null : String(item[field]));
  const open = (field: string): string => cipher.open(place(accountId, id, field), item[field] as Uint8Array);
  const sealed = JSON.parse(open('sealed')) as Pick<Message, 'to' | 'tags' | 'metadata'>;
  return {
    id,
    channel: item['channel'] as Channel,
    status: item['status'] as Status,
    to: sealed.to,
    tags: sealed.tags,
    metadata: sealed.metadata,
    createdAt: iso(timeOfId(id)),
    sentAt: text('sentAt'),
    deliveredAt: text('deliveredAt'),
    failedAt: text('failedAt'),
    failureReason: item['failureReason'] === undefined ? null : open('failureReason'),
    failureCode: text('failureCode'),
    price: item['price'] as Price,
    contactId: item['contactId'] === undefined ? undefined : String(item['contactId']),
  };
};

/** A message's item, sealed. Only a message of origin `api` makes events. */
export const messageItem = (
  accountId: string,
  cipher: Cipher,
  { id, channel, status, to, tags, metadata, price, ...message }: AcceptedMessage,
  more: { readonly origin: 'api' | TrafficJob['origin']; readonly contactId?: string },
) => ({
  ...itemKeys.message(accountId, id),
  ...indexKeys.message(accountId, channel, status, id),
  entity: 'message',
  account: accountId,
  channel,
  status,
  price,
  sealed: cipher.seal(place(accountId, id, 'sealed'), JSON.stringify({ to, tags, metadata })),
  sentAt: message.sentAt ?? undefined,
  deliveredAt: message.deliveredAt ?? undefined,
  failedAt: message.failedAt ?? undefined,
  failureCode: message.failureCode ?? undefined,
  failureReason:
    message.failureReason === null
      ? undefined
      : cipher.seal(place(accountId, id, 'failureReason'), message.failureReason),
  ...more,
});

/** The writes that accept a message: its row, and its price off the account's credits. Either may be refused, in this order. */
export const acceptWrites = (
  accountId: string,
  cipher: Cipher,
  message: AcceptedMessage,
  contactId: string,
): Write[] => {
  const { price } = message;
  return [
    {
      Put: {
        Item: messageItem(accountId, cipher, message, { origin: 'api', contactId }),
        ConditionExpression: 'attribute_not_exists(PK)',
      },
    },
    {
      Update: {
        Key: itemKeys.credits(accountId),
        UpdateExpression: 'ADD #counter :taken',
        ConditionExpression: '#counter >= :needed',
        ExpressionAttributeNames: { '#counter': price.counter },
        ExpressionAttributeValues: { ':taken': -price.credits, ':needed': price.credits },
      },
    },
  ];
};

const refundWrite = (accountId: string, price: Price): Write => ({
  Update: {
    Key: itemKeys.credits(accountId),
    UpdateExpression: 'ADD #counter :returned',
    ExpressionAttributeNames: { '#counter': price.counter },
    ExpressionAttributeValues: { ':returned': price.credits },
  },
});

/** The move of a message that a trigger makes, refused where the table of moves does not have it. */
export const moveUpdate = (
  accountId: string,
  cipher: Cipher,
  { id, channel }: Pick<Message, 'id' | 'channel'>,
  trigger: Trigger,
  nowMs: number,
  failure?: Failure,
) => {
  const { on, from, to, stamps = [] } = moveBy(trigger);
  const assignments = [
    '#status = :to',
    'GSI1PK = :partition',
    ...stamps.map((stamp) => `${stamp} = if_not_exists(${stamp}, :now)`),
    ...(failure ? ['failureCode = :code', 'failureReason = :reason'] : []),
  ];
  const fromValues = numbered('from', from);
  const onValues = numbered('on', on);
  return {
    Key: itemKeys.message(accountId, id),
    UpdateExpression: `SET ${assignments.join(', ')}`,
    ConditionExpression: `#status IN (${Object.keys(fromValues)}) AND channel IN (${Object.keys(onValues)})`,
    ExpressionAttributeNames: { '#status': 'status' },
    ExpressionAttributeValues: {
      ...fromValues,
      ...onValues,
      ':to': to,
      ':partition': indexKeys.message(accountId, channel, to, id).GSI1PK,
      ...(stamps.length > 0 && { ':now': iso(nowMs) }),
      ...(failure && {
        ':code': failure.code,
        ':reason': cipher.seal(place(accountId, id, 'failureReason'), failure.reason),
      }),
    },
  };
};

const numbered = (name: string, values: readonly string[]): Record<string, string> =>
  Object.fromEntries(values.map((value, n) => [`:${name}${n}`, value]));

/** Messages: their rows, and the only way that their status moves. */
export const messageStorage = (table: Table, vault: Vault) => {
  const find = async (account: AccountRef, id: string): Promise<StoredMessage | undefined> => {
    const item = isId(id) ? await table.get(itemKeys.message(account.id, id)) : undefined;
    return item && messageFrom(account.id, await vault.unlock(account), item);
  };

  return {
    find,

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

    /** Ends a message that was not sent and gives its price back, both or neither; false when its status no longer permits. */
    fail: async (
      account: AccountRef,
      message: Movable,
      trigger: Trigger,
      failure: Failure,
      nowMs: number,
    ): Promise<boolean> => {
      const cipher = await vault.unlock(account);
      const refused = await table.transact([
        { Update: moveUpdate(account.id, cipher, message, trigger, nowMs, failure) },
        refundWrite(account.id, message.price),
      ]);
      return refused === undefined;
    },

    /** Takes back a message that never left, as if it had not been accepted; false when its status has moved on. */
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
        refundWrite(account.id, message.price),
      ]);
      return refused === undefined;
    },
  };
};

export type Messages = ReturnType<typeof messageStorage>;

/** The greatest sort key below this id: ids end in a hexadecimal digit, and `/` comes right before `0`. */
const before = (id: string): string => `${id.slice(0, -1)}${String.fromCharCode(id.charCodeAt(id.length - 1) - 1)}`;

/** Without a filter the table itself is in order; with one, only the index partitions that it names are read. */
const partitionsFor = (accountId: string, { channel, status }: MessageFilter) => {
  if (channel === undefined && status === undefined) return [partitions.messages(accountId)];
  const wantedChannels = channel === undefined ? channels : [channel];
  const wantedStatuses = status === undefined ? statuses : [status];
  return wantedChannels.flatMap((one) => wantedStatuses.map((other) => partitions.messagesWith(accountId, one, other)));
};
