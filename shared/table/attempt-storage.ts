import type { Vault } from '../kit/cipher.ts';
import { iso } from '../kit/time.ts';
import {
  type Attempt,
  type Delivery,
  type DeliveryState,
  deliveryId,
  newDelivery,
  stateAfter,
  type Total,
  totalAfter,
} from '../webhooks/delivery.ts';
import type { DeliveryJob } from '../webhooks/jobs.ts';
import { attemptItem, deliveryFrom, deliveryItem } from './delivery-items.ts';
import { eventTeller, type Happening } from './event-teller.ts';
import { itemKeys } from './keys.ts';
import type { Item, Table, Write } from './table.ts';
import { type Listener, type Target, targetFrom } from './webhook-storage.ts';

export interface Loaded {
  readonly target: Target;
  readonly delivery: Delivery;
}

/** Deliveries under way: written with their event, told of every attempt, and counted once when they end. */
export const attemptStorage = (table: Table, vault: Vault) => {
  const tell = eventTeller(table);

  const begin = async (happening: Happening, { account, id: webhookId }: Listener): Promise<DeliveryJob[]> => {
    const { name, atMs } = happening;
    const cipher = await vault.unlock(account);
    const { eventId, payload } = await tell(account.id, cipher, happening);
    const id = deliveryId(eventId, webhookId, atMs);
    const known = await table.add(
      deliveryItem(account.id, cipher, newDelivery({ id, webhookId, event: name, eventId, payload })),
    );
    const isUntried = !known || (known['state'] === 'pending' && (known['attempts'] as Item[]).length === 0);
    return isUntried ? [{ account: account.id, webhook: webhookId, delivery: id, attempt: 1, lane: 'fast' }] : [];
  };

  return {
    /**
     * Writes one delivery for each event and each listener that wants it, and gives the first attempts to make. Told again, it gives those
     * that nobody has made yet.
     */
    begin: async (happenings: readonly Happening[], listeners: readonly Listener[]): Promise<DeliveryJob[]> =>
      (
        await Promise.all(
          happenings.flatMap((happening) =>
            listeners
              .filter(({ events }) => events.includes(happening.name))
              .map((listener) => begin(happening, listener)),
          ),
        )
      ).flat(),

    /** Undefined when the subscription was deleted, or the delivery is no longer kept. */
    load: async ({ account, webhook, delivery }: DeliveryJob): Promise<Loaded | undefined> => {
      const keys = [itemKeys.webhook(account, webhook), itemKeys.delivery(webhook, delivery)];
      const [webhookItem, item] = await table.getAll(keys);
      if (!webhookItem || !item) return undefined;
      const target = await targetFrom(webhookItem, vault);
      return { target, delivery: deliveryFrom(await vault.unlock(target.account), webhook, item) };
    },

    /** Ends a delivery that nobody wants any more, unless it has ended already. */
    cancel: async ({ id, webhookId }: Delivery): Promise<void> => {
      await table.update({
        Key: itemKeys.delivery(webhookId, id),
        UpdateExpression: 'SET #state = :cancelled',
        ConditionExpression: '#state = :pending',
        ExpressionAttributeNames: { '#state': 'state' },
        ExpressionAttributeValues: { ':cancelled': 'cancelled', ':pending': 'pending' },
      });
    },

    /**
     * Writes an attempt down and, when the delivery ends with it, counts that, both or neither. Gives the state that the delivery is in
     * then, or undefined when another run has made the same attempt or the subscription is gone.
     */
    record: async (
      { target, delivery }: Loaded,
      attempt: Attempt,
      mostAttempts: number,
    ): Promise<DeliveryState | undefined> => {
      const cipher = await vault.unlock(target.account);
      const state = stateAfter(delivery, attempt, mostAttempts);
      const total = totalAfter(delivery, state);
      const made = delivery.attempts.length;
      const recorded = {
        Key: itemKeys.delivery(delivery.webhookId, delivery.id),
        UpdateExpression: `SET attempts = list_append(attempts, :one), #state = :state${total ? ', countedAs = :total' : ''}`,
        ConditionExpression: '#state = :pending AND size(attempts) = :made',
        ExpressionAttributeNames: { '#state': 'state' },
        ExpressionAttributeValues: {
          ':one': [attemptItem(cipher, delivery, made, attempt)],
          ':state': state,
          ':pending': 'pending',
          ':made': made,
          ...(total && { ':total': total }),
        },
      };
      if (state === 'pending') return (await table.update(recorded)).done ? state : undefined;
      const ended = endWrite(target, state, delivery.countedAs, total, attempt);
      const refused = await table.transact([{ Update: recorded }, ended]);
      return refused ? undefined : state;
    },

    /** Keeps a delivery that was one attempt, and counts it. Nothing is kept of a subscription that is gone. */
    keep: async (target: Target, delivery: Delivery, attempt: Attempt): Promise<void> => {
      const state = stateAfter(delivery, attempt, 1);
      const total = totalAfter(delivery, state);
      const kept = { ...delivery, state, attempts: [attempt], countedAs: total };
      const cipher = await vault.unlock(target.account);
      await table.transact([
        { Put: { Item: { ...deliveryItem(target.account.id, cipher, kept) } } },
        endWrite(target, state, undefined, total, attempt),
      ]);
    },
  };
};

export type Attempts = ReturnType<typeof attemptStorage>;

/** What the end of a delivery changes at its subscription. One that was in the other total leaves it. */
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
