import type { Draft, Slot } from '../../compliance/gate.ts';
import type { SendContext } from '../../compliance/send-context.ts';
import type { AccountRef } from '../../kit/account-ref.ts';
import type { Vault } from '../../kit/cipher.ts';
import { idAt, timeOfId } from '../../kit/id.ts';
import { longestRunMs } from '../../kit/longest-run.ts';
import { iso } from '../../kit/time.ts';
import { dayMs } from '../../kit/time-units.ts';
import type { Failure } from '../../messages/failures.ts';
import type { Mail } from '../../messages/mail.ts';
import type { Message } from '../../messages/message.ts';
import { mostAheadDays } from '../../messages/send-time.ts';
import { giveBackWrites } from '../accounts/credit-items.ts';
import { idsUntil } from '../every-id.ts';
import { type IndexKey, itemKeys, partitions } from '../keys.ts';
import type { Table } from '../table.ts';
import {
  type DueMessage,
  dueKeyOf,
  dueMessageFrom,
  movedOnce,
  putOffUpdate,
  retryKeyOf,
  reviewPartition,
  sweptShards,
  type WithSteps,
} from './due-items.ts';
import { mailFrom, mailIn, mailPartKeys, partsExpireAt } from './mail-parts.ts';
import { bodyKeyOf, endUnsentWrites, heldBeside, type StoredMessage, textFrom } from './message-items.ts';
import { openings } from './message-openings.ts';
import { type MessagePlace, placing } from './message-places.ts';
import { holderChecks, optOutChecks, slotWrite } from './send-conditions.ts';
import type { SpreadStore } from './spread-store.ts';

/** So long an idempotency key can bring back the request of a message that was cancelled; its row says that it was there. */
const rememberedSeconds = 25 * 3_600;

type Ids = Pick<Message, 'id' | 'channel'>;
type Scheduled = Ids & Pick<StoredMessage, 'scheduledAt' | 'expiresMs' | 'price'>;

/** A message that was scheduled, with its content while it waits. */
export interface ScheduledMessage {
  readonly message: StoredMessage;
  readonly text: string | undefined;
  readonly mail: Mail | undefined;
  /** When it was to be sent: one that was put off, at that time. */
  readonly dueMs: number;
  /** It is an email whose content is gone: it waited for months longer than it was to, or was ended meanwhile. */
  readonly isGone: boolean;
  /** It waits for a decision after a restore: a job that was queued before must not send it. */
  readonly isInReview: boolean;
}

/** Refused when the message no longer waits, or waits for another time than was read. One that was put off has none. */
const asRead = (scheduledAt: string | undefined) =>
  scheduledAt === undefined
    ? { condition: 'attribute_exists(held) AND attribute_not_exists(scheduledAt)', values: {} }
    : { condition: 'attribute_exists(held) AND scheduledAt = :read', values: { ':read': scheduledAt } };

/** What a text keeps of the slot that it takes, which is given back to the contact that has its phone now. */
const slotTaken = (slot: Slot | undefined, holder: SendContext['holder']) => ({
  set: `${slot ? ', slotMs = :slot' : ''}${slot && holder ? ', contactId = :holder' : ''}`,
  values: { ...(slot && { ':slot': slot.times.at(-1) }), ...(slot && holder && { ':holder': holder.contactId }) },
});

/**
 * Messages while they wait: for their time, or emails for their turn at a busy provider. `held` in a message's row says that it waits, beside it a
 * row says when it is due. That row stays until nothing of the wait is left, so what a crash leaves behind is found again.
 */
export const scheduledStore = (table: Table, vault: Vault, spreads: SpreadStore, pageSize = 100) => {
  const placeOf = placing(vault, spreads);
  const { open } = openings(table, vault);

  /** Moves the row. One that waits for a decision after a restore becomes due as well: the change of its message is a decision. */
  const dueAt = (accountId: string, id: string, { GSI1PK, GSI1SK }: IndexKey) => ({
    Update: {
      Key: itemKeys.dueMessage(accountId, id),
      UpdateExpression: 'SET GSI1PK = :shard, GSI1SK = :due',
      ExpressionAttributeValues: { ':shard': GSI1PK, ':due': GSI1SK },
    },
  });

  /** Before an email moves to a time that its parts were not made for. */
  const keepParts = async (accountId: string, id: string, atMs: number): Promise<void> => {
    if (atMs <= timeOfId(id) + mostAheadDays * dayMs) return;
    const pointer = mailIn(await table.get(itemKeys.dueMessage(accountId, id)));
    const keys = pointer ? mailPartKeys(accountId, id, pointer) : [];
    await Promise.all(
      keys.map((Key) =>
        table.update({
          Key,
          UpdateExpression: 'SET expiresAt = :expires',
          ConditionExpression: 'attribute_exists(PK)',
          ExpressionAttributeValues: { ':expires': partsExpireAt(atMs) },
        }),
      ),
    );
  };

  const queued = { names: { '#status': 'status' }, condition: '#status = :queued', values: { ':queued': 'queued' } };

  /** A run of an email that the release before this one put off. */
  const runAgain = ({ item }: MessagePlace) => ({
    Key: item,
    UpdateExpression: 'SET #status = :sending',
    ConditionExpression: '#status = :sending',
    ExpressionAttributeNames: queued.names,
    ExpressionAttributeValues: { ':sending': 'sending' },
  });

  return {
    shards: sweptShards,

    /** The rows of one shard that are due until then, longest overdue first; `isMore`: there may be others. */
    page: async (shard: number, untilMs: number): Promise<{ rows: readonly DueMessage[]; isMore: boolean }> => {
      const items = await table.query(partitions.dueMessages(shard), {
        ...idsUntil(untilMs),
        newestFirst: false,
        limit: pageSize,
        only: ['account', 'message', 'channel', 'GSI1SK'],
      });
      return { rows: items.map(dueMessageFrom), isMore: items.length === pageSize };
    },

    /** Makes a row due at another time. Changes nothing if it has moved since it was read. */
    postpone: async ({ account, message, dueId }: DueMessage, nextMs: number): Promise<void> => {
      await table.update({
        Key: itemKeys.dueMessage(account, message),
        UpdateExpression: 'SET GSI1SK = :next',
        ConditionExpression: 'GSI1SK = :due',
        ExpressionAttributeValues: { ':due': dueId, ':next': idAt(dueId, nextMs) },
      });
    },

    /** The message, with its content while it waits; undefined when it was cancelled. */
    find: async (account: AccountRef, ids: Ids): Promise<ScheduledMessage | undefined> => {
      const { item, cipher } = await placeOf(account, ids);
      const [row, due] = await table.getAll([item, itemKeys.dueMessage(account.id, ids.id)]);
      if (!row) return undefined;
      const pointer = row['held'] === heldBeside ? mailIn(due) : undefined;
      const keys = pointer && mailPartKeys(account.id, ids.id, pointer);
      const message = await open(account, row);
      if (!message) return undefined;
      const mail = keys && mailFrom(cipher, keys, await table.getAll(keys));
      const isInReview = due?.['GSI1PK'] === reviewPartition.GSI1PK;
      const { scheduledAt, createdAt } = message;
      return {
        message,
        text: textFrom(account.id, cipher, row),
        mail,
        dueMs: (scheduledAt === undefined && pointer?.dueMs) || Date.parse(scheduledAt ?? createdAt),
        isGone: keys !== undefined && !mail,
        isInReview,
      };
    },

    /** Moves the time of a message that has not been begun. False when it was, or its time has been changed since it was read. */
    reschedule: async (account: AccountRef, message: Scheduled, atMs: number): Promise<boolean> => {
      const { id, scheduledAt = '', expiresMs } = message;
      const { condition, values } = asRead(scheduledAt);
      const laterByMs = atMs - Date.parse(scheduledAt);
      await keepParts(account.id, id, atMs);
      const refused = await table.transact([
        {
          Update: {
            Key: (await placeOf(account, message)).item,
            UpdateExpression: `SET scheduledAt = :at${expiresMs === undefined ? '' : ', expiresMs = :expires'}`,
            ConditionExpression: `${queued.condition} AND ${condition}`,
            ExpressionAttributeNames: queued.names,
            ExpressionAttributeValues: {
              ...queued.values,
              ...values,
              ':at': iso(atMs),
              ...(expiresMs !== undefined && { ':expires': expiresMs + laterByMs }),
            },
          },
        },
        dueAt(account.id, id, dueKeyOf(id, atMs)),
      ]);
      return refused === undefined;
    },

    /** Deletes a message that has not been begun, and gives its price back. False when it was. */
    cancel: async (account: AccountRef, message: Scheduled, nowMs: number): Promise<boolean> => {
      const { item } = await placeOf(account, message);
      const row = await table.get(item);
      const body = row && bodyKeyOf(account.id, row);
      const refused = await table.transact([
        {
          Delete: {
            Key: item,
            ConditionExpression: `${queued.condition} AND attribute_exists(held)`,
            ExpressionAttributeNames: queued.names,
            ExpressionAttributeValues: queued.values,
          },
        },
        ...giveBackWrites(account.id, message.price),
        ...(body ? [{ Delete: { Key: body } }] : []),
        // `retire` may be cut off.
        dueAt(account.id, message.id, dueKeyOf(message.id, nowMs)),
      ]);
      return refused === undefined;
    },

    /**
     * Hands a text to the worker of its channel, on the condition that what it was judged by is unchanged. `over`: it no longer waits for
     * this time.
     */
    handOver: async (
      account: AccountRef,
      { message, contact }: Pick<Draft, 'contact'> & { readonly message: StoredMessage },
      { holder, optOut }: Pick<SendContext, 'holder' | 'optOut'>,
      slot: Slot | undefined,
    ): Promise<'handed over' | 'stale' | 'over'> => {
      const { item, cipher } = await placeOf(account, message);
      const { condition, values } = asRead(message.scheduledAt);
      const taken = slotTaken(slot, holder);
      const refused = await table.transact([
        {
          Update: {
            Key: item,
            UpdateExpression: `SET content = held${taken.set} REMOVE held`,
            ConditionExpression: `${queued.condition} AND ${condition}`,
            ExpressionAttributeNames: queued.names,
            ExpressionAttributeValues: {
              ...queued.values,
              ...values,
              ...taken.values,
            },
          },
        },
        // A phone that no contact has any more has no cap.
        ...(slot && holder ? [slotWrite(account.id, holder.contactId, slot, holder)] : []),
        ...optOutChecks(account.id, cipher, contact, { holder, optOut }),
        ...(holder ? holderChecks(account.id, holder, message.channel) : []),
      ]);
      if (!refused) return 'handed over';
      return refused.failed.some(({ position }) => position === 0) ? 'over' : 'stale';
    },

    /** Claims an email for one run: until the claim ends, no other may send or end it. `token`: the claim's unique id. */
    begin: async (account: AccountRef, message: StoredMessage, token: string, nowMs: number): Promise<boolean> => {
      const place = await placeOf(account, message);
      const run = message.status === 'sending' ? runAgain(place) : movedOnce(place, message, 'pickedUp', nowMs);
      const { condition, values } = asRead(message.scheduledAt);
      const { done } = await table.update({
        ...run,
        UpdateExpression: `${run.UpdateExpression}, run = :token, claimedUntil = :until REMOVE held`,
        ConditionExpression: `${run.ConditionExpression} AND ${condition}`,
        ExpressionAttributeValues: {
          ...run.ExpressionAttributeValues,
          ...values,
          ':token': token,
          ':until': nowMs + longestRunMs,
        },
      });
      return done;
    },

    /** Gives back an email that its provider has not taken, for another run at that time. */
    putBack: async (
      account: AccountRef,
      message: Ids & WithSteps,
      token: string,
      { nowMs, nextMs }: { readonly nowMs: number; readonly nextMs: number },
    ): Promise<void> => {
      const update = putOffUpdate(await placeOf(account, message), message, token, nowMs);
      await table.transact([{ Update: update }, dueAt(account.id, message.id, retryKeyOf(message.id, nextMs))]);
    },

    /** Ends a message that waits for this time and gives its price back. False: it no longer does. */
    fail: async (account: AccountRef, message: Scheduled, failure: Failure, nowMs: number): Promise<boolean> => {
      const end = { trigger: 'sendFailed', failure, nowMs } as const;
      const refused = await table.transact(
        endUnsentWrites(await placeOf(account, message), message.price, end, asRead(message.scheduledAt)),
      );
      return refused === undefined;
    },

    /** Makes the row of a message that no longer waits due again at this time, unless it has been retired. */
    lookAgain: async (account: AccountRef, id: string, atMs: number): Promise<void> => {
      const { Update } = dueAt(account.id, id, dueKeyOf(id, atMs));
      await table.update({ ...Update, ConditionExpression: 'attribute_exists(GSI1PK)' });
    },

    /** Removes what is left of the wait of a message that was sent, ended or cancelled. */
    retire: async (account: AccountRef, id: string, nowMs: number): Promise<void> => {
      const key = itemKeys.dueMessage(account.id, id);
      const pointer = mailIn(await table.get(key));
      if (pointer) await Promise.all(mailPartKeys(account.id, id, pointer).map((part) => table.remove(part)));
      await table.update({
        Key: key,
        UpdateExpression: 'SET expiresAt = :expires REMOVE GSI1PK, GSI1SK, mail',
        ConditionExpression: 'attribute_exists(PK)',
        ExpressionAttributeValues: { ':expires': Math.ceil(nowMs / 1_000) + rememberedSeconds },
      });
    },
  };
};

export type ScheduledStore = ReturnType<typeof scheduledStore>;
