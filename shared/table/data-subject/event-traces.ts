import * as z from 'zod';
import { dayMs } from '../../kit/time-units.ts';
import type { Delivery } from '../../webhooks/delivery.ts';
import { deliveryId } from '../../webhooks/delivery.ts';
import { keptSinceMs } from '../../webhooks/retention.ts';
import { itemKeys, keyIn } from '../keys.ts';
import type { Item } from '../table.ts';
import { deliveryFrom, deliveryItem, progressFrom, progressItem, updateAsRead } from '../webhooks/delivery-items.ts';
import { payloadIn, sealedPayload, sequencesIn } from '../webhooks/event-store.ts';
import type { StoredWebhook } from '../webhooks/webhook-items.ts';
import { webhookStore } from '../webhooks/webhook-store.ts';
import type { DataSubject, Stores, Trace } from './trace.ts';

/** Keeps the order of the members, so that a body with nothing to erase stays as it is. */
const members = z.record(z.string(), z.unknown());

/** The body of an event without what names its recipient, and what the sender or the merchant wrote. */
const erasedBody = (payload: string): string => {
  const body = members.parse(JSON.parse(payload));
  const data = members.parse(body['data']);
  const message = members.optional().parse(data['message']);
  const erased = {
    ...(message && { message: { ...message, to: null, tags: [], metadata: {}, failureReason: null } }),
    ...('metadata' in data && { metadata: {} }),
  };
  return JSON.stringify({ ...body, data: { ...data, ...erased } });
};

/** A delivery without what its target answered. One of the first release has the body too. */
const silent = (delivery: Delivery): Delivery => ({
  ...delivery,
  payload: delivery.payload && erasedBody(delivery.payload),
  attempts: delivery.attempts.map((attempt) => ({ ...attempt, responseBody: '' })),
});

/** An event, and whether a delivery still takes its body from it: one that is under way, or one whose first attempt may be queued, which is not stored before. */
interface FoundEvent {
  readonly item: Item;
  readonly isUnderWay: boolean;
  readonly isQueued: boolean;
}

/** Longer than a first attempt waits, unless a queue is behind by so much. */
const longestQueuedMs = dayMs;

interface FoundEvents {
  readonly traces: Trace[];
  readonly stored: ReadonlySet<string>;
}

/** An event that has happened may be stored any moment, as what it is about was. Without that, it would not be found any more. */
export const isAwaited = (
  { id, happenedMs }: { readonly id: string; readonly happenedMs: number },
  stored: ReadonlySet<string>,
  nowMs: number,
): boolean => !stored.has(id) && happenedMs > keptSinceMs(nowMs);

/** Events by their ids, which of them are stored, and their deliveries to the subscriptions that an account has: those of deleted ones are deleted with them. */
export const eventTraces = ({ table, vault }: Stores) => {
  const webhooks = webhookStore(table, vault);

  const eventTrace = ({ cipher }: DataSubject, { item, isUnderWay, isQueued }: FoundEvent): Trace => {
    const payload = payloadIn(cipher, item);
    const key = keyIn(item);
    const erased = erasedBody(payload);
    const erase = async (nowMs: number) => {
      if (isUnderWay || (isQueued && Number(item['occurredMs']) > nowMs - longestQueuedMs)) return false;
      const { done } = await table.update({
        Key: key,
        UpdateExpression: 'SET payload = :payload',
        ConditionExpression: 'attribute_exists(PK)',
        ExpressionAttributeValues: { ':payload': sealedPayload(cipher, key, erased) },
      });
      // It is deleted 30 days after it happened.
      return done || (await table.get(key)) === undefined;
    };
    return { kind: 'event', holds: JSON.parse(payload), ...(erased !== payload && { erase }) };
  };

  const deliveryTrace = ({ account, cipher }: DataSubject, webhook: StoredWebhook, item: Item): Trace => {
    const delivery = deliveryFrom(cipher, webhook, item);
    const { id, webhookId, event, eventId, state, attempts, payload } = delivery;
    const erased = silent(delivery);
    // An attempt that goes on writes the answers as it read them, and its own beside them.
    const isUnderWay = state === 'pending';
    const isSilent = payload === erased.payload && attempts.every(({ responseBody }) => responseBody === '');
    const erase = async () => {
      if (isUnderWay) return false;
      const { payload: sealed } = deliveryItem(account.id, cipher, erased);
      // The state as it is stored, whether its subscription is paused or not.
      const changes = {
        ...progressItem(cipher, erased),
        state: item['state'],
        ...(sealed !== undefined && { payload: sealed }),
      };
      return (await table.update(updateAsRead(webhookId, item, changes))).done;
    };
    const holds = { id, webhookId, event, eventId, state, attempts };
    return { kind: 'delivery', holds, ...((isUnderWay || !isSilent) && { erase }) };
  };

  return async (subject: DataSubject, ids: readonly string[]): Promise<FoundEvents> => {
    const read = await table.getAll(ids.map((id) => itemKeys.event(subject.account.id, id)));
    const events = read.flatMap((item, n) => (item ? [{ id: ids[n] ?? '', item }] : []));
    const stored = new Set(events.map(({ id }) => id));
    if (events.length === 0) return { traces: [], stored };
    const subscriptions = await webhooks.list(subject.account);
    const wanted = events.flatMap((event) =>
      subscriptions.map((webhook) => ({
        ...{ event, webhook },
        key: itemKeys.delivery(webhook.id, deliveryId(event.id, webhook.id, Number(event.item['occurredMs']))),
      })),
    );
    const items = await table.getAll(wanted.map(({ key }) => key));
    const deliveries = wanted.map((one, n) => ({ ...one, delivery: items[n] }));
    const found = events.map(({ id, item }): FoundEvent => {
      const own = deliveries.filter(({ event }) => event.id === id);
      return {
        item,
        isUnderWay: own.some(
          ({ webhook, delivery }) => delivery && progressFrom(webhook, delivery).state === 'pending',
        ),
        isQueued: own.some(
          ({ webhook, delivery }) => !delivery && webhook.isActive && Object.hasOwn(sequencesIn(item), webhook.id),
        ),
      };
    });
    const ofDeliveries = deliveries.flatMap(({ webhook, delivery }) =>
      delivery ? [deliveryTrace(subject, webhook, delivery)] : [],
    );
    return { traces: [...ofDeliveries, ...found.map((event) => eventTrace(subject, event))], stored };
  };
};
