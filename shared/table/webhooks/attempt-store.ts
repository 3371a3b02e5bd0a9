import type { Vault } from '../../kit/cipher.ts';
import { iso } from '../../kit/time.ts';
import { type Attempt, type Delivery, type DeliveryState, type Total, withAttempt } from '../../webhooks/delivery.ts';
import type { DeliveryJob } from '../../webhooks/jobs.ts';
import { itemKeys } from '../keys.ts';
import type { Item, Table, Write } from '../table.ts';
import {
  attemptsMadeIn,
  deliveryFrom,
  deliveryItem,
  newDeliveryItem,
  progressItem,
  updateAsRead,
} from './delivery-items.ts';
import { payloadsOf } from './event-store.ts';
import { type Target, targetFrom } from './webhook-store.ts';

export interface Loaded {
  readonly target: Target;
  readonly delivery: Delivery;
  /** The delivery as it was read. */
  readonly item: Item;
}

/** Running deliveries: written with their event, updated by every attempt, and counted once when they end. */
export const attemptStore = (table: Table, vault: Vault) => {
  /** The cause of a refused record: the delivery's current state, or undefined when it or its subscription is gone. */
  const write = async (
    { target, delivery, item }: Loaded,
    after: Delivery,
    attempt: Attempt,
  ): Promise<'done' | Item | undefined> => {
    const cipher = await vault.unlock(target.account);
    const update = updateAsRead(delivery.webhookId, item, progressItem(cipher, after));
    if (!isEnded(after)) {
      const updated = await table.update(update);
      return updated.done ? 'done' : updated.item;
    }
    const ended = endWrite(target, after.state, delivery.countedAs, after.countedAs, attempt);
    const refused = await table.transact([{ Update: update }, ended]);
    return refused ? refused.failed.find(({ position }) => position === 0)?.item : 'done';
  };

  /**
   * Writes an attempt down and, when the delivery ends with it, counts that, both or neither. Gives the state that the delivery is in
   * then, or undefined when the delivery had ended, another run has made the same attempt, or the subscription is gone.
   */
  const record = async (loaded: Loaded, attempt: Attempt, mostAttempts: number): Promise<DeliveryState | undefined> => {
    const { target, delivery } = loaded;
    if (isEnded(delivery)) return undefined;
    const after = withAttempt(delivery, attempt, mostAttempts);
    const written = await write(loaded, after, attempt);
    if (written === 'done') return after.state;
    if (!written) return undefined;
    const now = deliveryFrom(await vault.unlock(target.account), target, written);
    if (now.attemptsMade !== delivery.attemptsMade) return undefined;
    return record({ ...loaded, delivery: now, item: written }, attempt, mostAttempts);
  };

  return {
    /** Stores a delivery without an attempt, unless it is there already. Returns how it stands. */
    add: async (accountId: string, delivery: Delivery): Promise<Pick<Delivery, 'state' | 'attemptsMade'>> => {
      const known = await table.add(newDeliveryItem(accountId, delivery));
      return known ? { state: known['state'] as DeliveryState, attemptsMade: attemptsMadeIn(known) } : delivery;
    },

    /** Where the deliveries of a job's subscription go; undefined when that was deleted. */
    url: async ({ account, webhook }: DeliveryJob): Promise<string | undefined> => {
      const [item] = await table.getAll([itemKeys.webhook(account, webhook)]);
      return item && (await targetFrom(item, vault)).url;
    },

    /** Undefined when the subscription was deleted, or the delivery is no longer kept. */
    load: async ({ account, webhook, delivery }: DeliveryJob): Promise<Loaded | undefined> => {
      const keys = [itemKeys.webhook(account, webhook), itemKeys.delivery(webhook, delivery)];
      const [webhookItem, item] = await table.getAll(keys);
      if (!webhookItem || !item) return undefined;
      const target = await targetFrom(webhookItem, vault);
      return { target, delivery: deliveryFrom(await vault.unlock(target.account), target, item), item };
    },

    /** The raw body of a delivery; undefined when it is no longer kept. */
    payload: async ({ target: { account }, delivery }: Loaded): Promise<string | undefined> =>
      (await payloadsOf(table, await vault.unlock(account), account.id, [delivery]))[0],

    /** Writes down that a delivery was cancelled by a pause, unless something has happened to it since. */
    cancel: async ({ delivery, item }: Loaded): Promise<void> => {
      await table.update(updateAsRead(delivery.webhookId, item, { state: 'cancelled' }));
    },

    record,

    /** Keeps a delivery that was one attempt, and counts it. Nothing is kept of a subscription that is gone. */
    addEnded: async (target: Target, delivery: Delivery, attempt: Attempt): Promise<void> => {
      const ended = withAttempt(delivery, attempt, 1);
      const cipher = await vault.unlock(target.account);
      await table.transact([
        {
          Put: {
            Item: { ...deliveryItem(target.account.id, cipher, ended) },
            ConditionExpression: 'attribute_not_exists(PK)',
          },
        },
        endWrite(target, ended.state, undefined, ended.countedAs, attempt),
      ]);
    },
  };
};

export type AttemptStore = ReturnType<typeof attemptStore>;

const isEnded = ({ state }: Delivery): boolean => state === 'succeeded' || state === 'failed';

/** Changes the subscription's totals when a delivery ends. It is in one total only. */
const endWrite = (
  { account, id }: Target,
  state: DeliveryState,
  before: Total | undefined,
  after: Total | undefined,
  { startedMs, responseTime }: Attempt,
): Write => {
  const steps = before === after ? [] : [after && `${after} :up`, before && `${before} :down`].filter(Boolean);
  const added = steps.length > 0 ? ` ADD ${steps.join(', ')}` : '';
  return {
    Update: {
      Key: itemKeys.webhook(account.id, id),
      UpdateExpression: `SET ${state === 'succeeded' ? 'lastSentAt' : 'lastFailedAt'} = :at${added}`,
      ConditionExpression: 'attribute_exists(PK)',
      ExpressionAttributeValues: {
        ':at': iso(startedMs + responseTime),
        ...(added.includes(':up') && { ':up': 1 }),
        ...(added.includes(':down') && { ':down': -1 }),
      },
    },
  };
};
