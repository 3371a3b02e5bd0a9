import type { AccountRef } from '../../kit/account-ref.ts';
import type { Cipher, Vault } from '../../kit/cipher.ts';
import { isId, timeOfId } from '../../kit/id.ts';
import { staysValid } from '../../kit/stays-valid.ts';
import { type Clock, iso } from '../../kit/time.ts';
import { type Listener, tooManyWebhooks, type WebhookApi, type WebhookFields } from '../../webhooks/webhook.ts';
import { accountRefIn } from '../account-ref-in.ts';
import { everyId } from '../every-id.ts';
import { type ItemKey, itemKeys, partitions } from '../keys.ts';
import { numberedFields } from '../numbered-fields.ts';
import type { Item, Table, Updated } from '../table.ts';
import { withTallies } from './lease-items.ts';
import { uncountedIn } from './uncounted-leases.ts';
import {
  apiIn,
  attributesOf,
  type Changes,
  earlierIn,
  isActiveIn,
  isThere,
  olderFields,
  pausesIn,
  place,
  removedBy,
  type StoredWebhook,
  stateOf,
  type Target,
  targetFrom,
  textIn,
  webhookFrom,
} from './webhook-items.ts';

/** Webhook subscriptions: of one API, as if there were none of another, or of all. Name, url and secret are sealed: a url may carry a secret of its own. */
export const webhookStore = (table: Table, vault: Vault, api?: WebhookApi, clock: Clock = Date.now) => {
  const isOurs = (item: Item): boolean => api === undefined || apiIn(item) === api;

  /** The item of a subscription's leases with what some of them have yet to count. */
  const countedIn = async (id: string, leases: Item = {}): Promise<Item> =>
    withTallies(leases, await uncountedIn(table, id, leases, clock()));

  const itemsOf = async (accountId: string): Promise<Item[]> => {
    const items = await table.query(partitions.webhooks(accountId), { ...everyId, newestFirst: true });
    return items.filter(isOurs);
  };

  const itemOf = async (account: AccountRef, id: string): Promise<Item | undefined> => {
    const item = isId(id) ? await table.get(itemKeys.webhook(account.id, id)) : undefined;
    return item && isOurs(item) ? item : undefined;
  };

  /** Writes changes, only while the subscription is active or paused as `isActive` says. */
  const write = (
    account: AccountRef,
    cipher: Cipher,
    id: string,
    { changes, isActive, nowMs }: { readonly changes: Changes; readonly isActive?: boolean; readonly nowMs: number },
  ): Promise<Updated> => {
    // Deliveries that began before are cancelled by it: their number is another one.
    const isPause = changes.isActive === false;
    const { set, names, values } = numberedFields(
      Object.entries({
        ...attributesOf(account, cipher, id, changes),
        updatedAt: iso(nowMs),
      }),
    );
    // One that is active already stays so since then: who sends it each day does not keep a dead receiver from its pause.
    const activeSince = changes.isActive ? ', activeSinceMs = if_not_exists(activeSinceMs, :activeSince)' : '';
    const isOne = api === undefined ? 'attribute_exists(PK)' : isThere[api];
    return table.update({
      Key: itemKeys.webhook(account.id, id),
      UpdateExpression: `SET ${set}${activeSince}${isPause ? ' ADD pauses :one' : ''}${removedBy(changes)}`,
      ConditionExpression: isActive === undefined ? isOne : `${isOne} AND #state = :state`,
      ExpressionAttributeNames: { ...names, ...(isActive !== undefined && { '#state': 'state' }) },
      ExpressionAttributeValues: {
        ...values,
        ...(isActive !== undefined && { ':state': stateOf(isActive) }),
        ...(changes.isActive && { ':activeSince': nowMs }),
        ...(isPause && { ':one': 1 }),
      },
    });
  };

  /** One that is paused already is not paused again: the reason of its pause stays. */
  const pause = async (
    account: AccountRef,
    cipher: Cipher,
    id: string,
    written: { readonly changes: Changes; readonly nowMs: number },
  ): Promise<Updated> => {
    const paused = await write(account, cipher, id, { ...written, isActive: true });
    if (paused.done || !paused.item || !isOurs(paused.item)) return paused;
    const changes = { ...written.changes, isActive: undefined };
    const left = await write(account, cipher, id, { ...written, changes, isActive: false });
    // Resumed, or removed, in between.
    return left.done ? left : pause(account, cipher, id, written);
  };

  /** Undefined when the subscription is unknown. */
  const change = async (
    account: AccountRef,
    id: string,
    changes: Changes,
    nowMs: number,
  ): Promise<StoredWebhook | undefined> => {
    if (!isId(id)) return undefined;
    const cipher = await vault.unlock(account);
    const writing = changes.isActive === false ? pause : write;
    const { done, item } = await writing(account, cipher, id, { changes, nowMs });
    return done
      ? webhookFrom(cipher, item, await countedIn(id, await table.get(itemKeys.deliveryLeases(id))))
      : undefined;
  };

  const creationsOf = async (key: ItemKey): Promise<number> => Number((await table.get(key))?.['creations'] ?? 0);

  /**
   * Refuses when the account has `most` already. Creations are counted, and each is written only while no other has come between its
   * look at the list and its write: two at once cannot both be the last.
   */
  const create = async (
    account: AccountRef,
    id: string,
    fields: WebhookFields,
    { secret, most }: { readonly secret: string; readonly most: number },
  ): Promise<StoredWebhook> => {
    const cipher = await vault.unlock(account);
    const item = {
      ...itemKeys.webhook(account.id, id),
      entity: 'webhook',
      account: account.id,
      sealedKey: account.sealedKey,
      ...(api === 'checkout' && { api }),
      ...attributesOf(account, cipher, id, { ...fields, secret }),
      pauses: 0,
      ...(fields.isActive && { activeSinceMs: timeOfId(id) }),
      updatedAt: iso(timeOfId(id)),
    };
    const key = itemKeys.webhookCreations(account.id, api ?? 'messaging');
    const before = await creationsOf(key);
    const others = await itemsOf(account.id);
    if (others.length >= most) throw tooManyWebhooks(most);
    const counted = {
      Key: key,
      UpdateExpression: 'SET creations = :after',
      ConditionExpression: before === 0 ? 'attribute_not_exists(creations)' : 'creations = :before',
      ExpressionAttributeValues: { ':after': before + 1, ...(before > 0 && { ':before': before }) },
    };
    const refused = await table.transact([{ Put: { Item: item } }, { Update: counted }]);
    return refused ? create(account, id, fields, { secret, most }) : webhookFrom(cipher, item);
  };

  return {
    create,

    /** All of an account, newest first. */
    list: async (account: AccountRef): Promise<StoredWebhook[]> => {
      const items = await itemsOf(account.id);
      const found = await table.getAll(items.map(({ SK }) => itemKeys.deliveryLeases(String(SK))));
      const leases = await Promise.all(items.map(({ SK }, n) => countedIn(String(SK), found[n])));
      const cipher = await vault.unlock(account);
      return items.map((item, n) => webhookFrom(cipher, item, leases[n]));
    },

    find: async (account: AccountRef, id: string): Promise<StoredWebhook | undefined> => {
      if (!isId(id)) return undefined;
      const [item, leases] = await table.getAll([itemKeys.webhook(account.id, id), itemKeys.deliveryLeases(id)]);
      return item && isOurs(item)
        ? webhookFrom(await vault.unlock(account), item, await countedIn(id, leases))
        : undefined;
    },

    target: async (account: AccountRef, id: string): Promise<Target | undefined> => {
      const item = await itemOf(account, id);
      return item && targetFrom(item, vault);
    },

    /** All of an account with what decides about their events, paused ones included. */
    listeners: async (accountId: string): Promise<Listener[]> =>
      (await itemsOf(accountId)).map((item) => ({
        account: accountRefIn(item),
        id: String(item['SK']),
        isActive: isActiveIn(item),
        events: item['events'] as string[],
        pauses: pausesIn(item),
      })),

    change,

    /**
     * Replaces the secret. The previous one also signs until this time, and of those before it the one that stays valid. Undefined when the
     * subscription is unknown.
     */
    rotateSecret: async function rotate(
      account: AccountRef,
      id: string,
      { secret, previousValidUntilMs }: { readonly secret: string; readonly previousValidUntilMs: number },
      nowMs: number,
    ): Promise<{ readonly previousValidUntilMs: number } | undefined> {
      const item = await itemOf(account, id);
      if (!item) return undefined;
      const cipher = await vault.unlock(account);
      // An update of ours whose answer was lost: another change came since, so that it was not recognized.
      if (textIn(cipher, item, 'secret') === secret) return { previousValidUntilMs };
      const older = staysValid(earlierIn(cipher, item), previousValidUntilMs, nowMs);
      const { done } = await table.update({
        Key: itemKeys.webhook(account.id, id),
        UpdateExpression: `SET secret = :secret, previousSecret = :previous, previousValidUntilMs = :until, updatedAt = :now${
          older ? ', olderSecret = :older, olderValidUntilMs = :olderUntil' : ` REMOVE ${olderFields.join(', ')}`
        }`,
        ConditionExpression: 'secret = :read',
        ExpressionAttributeValues: {
          ':secret': cipher.seal(place(account.id, id, 'secret'), secret),
          ':previous': cipher.seal(place(account.id, id, 'previousSecret'), textIn(cipher, item, 'secret')),
          ':until': previousValidUntilMs,
          ...(older && {
            ':older': cipher.seal(place(account.id, id, 'olderSecret'), older.secret),
            ':olderUntil': older.validUntilMs,
          }),
          ':now': iso(nowMs),
          ':read': item['secret'],
        },
      });
      return done ? { previousValidUntilMs } : rotate(account, id, { secret, previousValidUntilMs }, nowMs);
    },

    /**
     * Pauses an active subscription, because all its deliveries have failed since an instant: those of the events since `missedSince`. The table's
     * stream notifies the admins. Nothing happens to one that was resumed since it was read, or has had a success since.
     */
    pauseFailing: async (
      { account, id, activeSinceMs }: Pick<Target, 'account' | 'id' | 'activeSinceMs'>,
      { failingSince, missedSince }: { readonly failingSince: string; readonly missedSince: string },
      nowMs: number,
    ) => {
      const pause = {
        Key: itemKeys.webhook(account.id, id),
        UpdateExpression:
          'SET #state = :paused, failingSince = :missed, updatedAt = :now ADD pauses :one REMOVE activeSinceMs',
        ConditionExpression:
          '#state = :active AND (attribute_not_exists(activeSinceMs) OR activeSinceMs = :activeSince)',
        ExpressionAttributeNames: { '#state': 'state' },
        ExpressionAttributeValues: {
          ':paused': stateOf(false),
          ':active': stateOf(true),
          ':missed': missedSince,
          ':activeSince': activeSinceMs,
          ':now': iso(nowMs),
          ':one': 1,
        },
      };
      const stillFailing = {
        Key: itemKeys.deliveryLeases(id),
        ConditionExpression: 'failingSince = :since',
        ExpressionAttributeValues: { ':since': failingSince },
      };
      await table.transact([{ Update: pause }, { ConditionCheck: stillFailing }]);
    },

    remove: (account: AccountRef, id: string): Promise<void> => table.remove(itemKeys.webhook(account.id, id)),
  };
};

export type WebhookStore = ReturnType<typeof webhookStore>;
