import type { Cipher } from '../../kit/cipher.ts';
import { timeOfId } from '../../kit/id.ts';
import { iso } from '../../kit/time.ts';
import {
  type Delivery,
  type DeliveryProgress,
  type DeliveryState,
  type DeliverySummary,
  type RecordedAttempt,
  type Subscription,
  stateUnder,
  type Total,
} from '../../webhooks/delivery.ts';
import { expiryOf } from '../../webhooks/retention.ts';
import { type Tally, tallyOf } from '../../webhooks/tally.ts';
import { openKeyOf } from '../accounts/stranded-store.ts';
import { itemKeys } from '../keys.ts';
import { optionalText } from '../optional.ts';
import { sealedPlace } from '../sealed-place.ts';
import type { Item } from '../table.ts';

type Owned = Pick<Delivery, 'id' | 'webhookId'>;

const place = ({ id, webhookId }: Owned, field: string) => sealedPlace(itemKeys.delivery(webhookId, id), field);

/** Where an attempt's answer is sealed for. Numbers in places count from 0. */
const attemptPlace = (delivery: Owned, number: number) => place(delivery, `attempts/${number - 1}`);

/** The attributes that attempts change. A target's answer may contain personal data, so it is encrypted. */
export const progressItem = (cipher: Cipher, delivery: Delivery): Item => ({
  state: delivery.state,
  attempts: delivery.attempts.map(({ number, startedMs, statusCode, responseTime, responseBody }) => ({
    number,
    at: iso(startedMs),
    statusCode,
    responseTime,
    responseBody: cipher.seal(attemptPlace(delivery, number), responseBody),
  })),
  attemptsMade: delivery.attemptsMade,
  ...(delivery.countedAs && { countedAs: delivery.countedAs }),
});

/** Which lease is to count a delivery, and the total that it leaves; nothing when no total changes. */
export const countingItem = (lease: string, before: Total | undefined, after: Total | undefined): Item =>
  before === after ? {} : { line: lease, ...(before && { countedBefore: before }) };

/** What a delivery changes of its subscription's totals, if this lease is the one to count it. */
export const tallyIn = (item: Item, lease: string): Tally | undefined => {
  const last = (item['attempts'] as Item[]).at(-1);
  if (!last || leaseIn(item) !== lease) return undefined;
  const totals = { before: item['countedBefore'] as Total | undefined, after: item['countedAs'] as Total | undefined };
  const attempt = { startedMs: Date.parse(String(last['at'])), responseTime: Number(last['responseTime']) };
  // Its state when the lease recorded it: a new round may have begun since.
  return tallyOf(totals.after === 'totalSent' ? 'succeeded' : 'failed', totals, attempt);
};

/** The lease that is to count, or has counted, a delivery as it is now. */
export const leaseIn = (item: Item): string | undefined => optionalText(item['line']);

export const deliveryItem = (accountId: string, cipher: Cipher, delivery: Delivery): Item => ({
  ...newDeliveryItem(accountId, delivery),
  ...progressItem(cipher, delivery),
  ...(delivery.payload !== undefined && { payload: cipher.seal(place(delivery, 'payload'), delivery.payload) }),
});

/** A delivery that nothing has happened to has nothing to seal. */
export const newDeliveryItem = (accountId: string, delivery: Delivery): Item => ({
  ...itemKeys.delivery(delivery.webhookId, delivery.id),
  ...(delivery.state === 'pending' && openKeyOf('delivery', delivery.id)),
  entity: 'delivery',
  account: accountId,
  event: delivery.event,
  ...(delivery.eventId !== undefined && { eventId: delivery.eventId }),
  ...(delivery.sequence > 0 && { sequence: delivery.sequence }),
  state: delivery.state,
  attempts: [],
  attemptsMade: 0,
  earlierAttempts: delivery.earlierAttempts,
  pauses: delivery.pauses,
  expiresAt: expiryOf(timeOfId(delivery.id)),
});

/** Of the first release's items, which have no number, all attempts are there. */
const attemptsMadeIn = (item: Item): number => Number(item['attemptsMade'] ?? (item['attempts'] as unknown[]).length);

/** How the delivery of an item stands. */
export const progressFrom = (subscription: Subscription, item: Item): DeliveryProgress => ({
  id: String(item['SK']),
  event: String(item['event']),
  eventId: optionalText(item['eventId']),
  state: stateIn(subscription, item),
  attemptsMade: attemptsMadeIn(item),
  earlierAttempts: Number(item['earlierAttempts']),
  isResent: item['isResent'] === true,
});

const stateIn = (subscription: Subscription, item: Item): DeliveryState =>
  stateUnder(subscription, { state: item['state'] as DeliveryState, pauses: Number(item['pauses'] ?? 0) });

/** A delivery without what its target answered in words, so nothing is opened. */
export const summaryFrom = (subscription: Subscription, item: Item): DeliverySummary => {
  const last = (item['attempts'] as Item[]).at(-1);
  return {
    id: String(item['SK']),
    webhookId: subscription.id,
    event: String(item['event']),
    state: stateIn(subscription, item),
    attemptsMade: attemptsMadeIn(item),
    last: last && { statusCode: Number(last['statusCode']), startedMs: Date.parse(String(last['at'])) },
  };
};

/** A delivery's item, opened. */
export const deliveryFrom = (cipher: Cipher, subscription: Subscription, item: Item): Delivery => {
  const id = String(item['SK']);
  const webhookId = subscription.id;
  const attemptFrom = (attempt: Item, index: number): RecordedAttempt => {
    const number = Number(attempt['number'] ?? index + 1);
    return {
      number,
      startedMs: Date.parse(String(attempt['at'])),
      statusCode: Number(attempt['statusCode']),
      responseTime: Number(attempt['responseTime']),
      responseBody: cipher.open(attemptPlace({ id, webhookId }, number), attempt['responseBody']),
    };
  };
  return {
    id,
    webhookId,
    event: String(item['event']),
    eventId: optionalText(item['eventId']),
    sequence: Number(item['sequence'] ?? 0),
    payload:
      item['payload'] === undefined ? undefined : cipher.open(place({ id, webhookId }, 'payload'), item['payload']),
    state: stateIn(subscription, item),
    attempts: (item['attempts'] as Item[]).map(attemptFrom),
    attemptsMade: attemptsMadeIn(item),
    earlierAttempts: Number(item['earlierAttempts']),
    countedAs: item['countedAs'] as Total | undefined,
    pauses: Number(item['pauses'] ?? 0),
  };
};

const decisive = ['state', 'attemptsMade', 'earlierAttempts', 'pauses'];

/** An update of a delivery that is refused if anything has happened to it since this item was read. */
export const updateAsRead = (webhookId: string, read: Item, changes: Item) => {
  const set = Object.keys(changes);
  const there = decisive.filter((name) => name in read);
  return {
    Key: itemKeys.delivery(webhookId, String(read['SK'])),
    // Only pending deliveries are in the index of open work.
    UpdateExpression: `SET ${set.map((name) => `#${name} = :${name}`).join(', ')}${changes['state'] === 'pending' ? '' : ' REMOVE GSI1PK, GSI1SK'}`,
    ConditionExpression: decisive
      .map((name) => (name in read ? `#${name} = :was_${name}` : `attribute_not_exists(#${name})`))
      .join(' AND '),
    ExpressionAttributeNames: Object.fromEntries([...set, ...decisive].map((name) => [`#${name}`, name])),
    ExpressionAttributeValues: {
      ...Object.fromEntries(set.map((name) => [`:${name}`, changes[name]])),
      ...Object.fromEntries(there.map((name) => [`:was_${name}`, read[name]])),
    },
  };
};
