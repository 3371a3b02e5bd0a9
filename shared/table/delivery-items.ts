import type { Cipher } from '../kit/cipher.ts';
import { timeOfId } from '../kit/id.ts';
import { iso } from '../kit/time.ts';
import type { Attempt, Delivery, DeliveryState, Total } from '../webhooks/delivery.ts';
import { itemKeys } from './keys.ts';
import type { Item } from './table.ts';

/** How long a delivery is kept after its event. */
export const keptMs = 30 * 24 * 60 * 60 * 1_000;

type Owned = Pick<Delivery, 'id' | 'webhookId'>;

const place = ({ id, webhookId }: Owned, field: string) => `${itemKeys.delivery(webhookId, id).PK}/${id}/${field}`;

/** An attempt as it lies in its delivery's item. What a target answers may name people, so it is sealed like the payload. */
export const attemptItem = (cipher: Cipher, delivery: Owned, number: number, attempt: Attempt): Item => ({
  at: iso(attempt.startedMs),
  statusCode: attempt.statusCode,
  responseTime: attempt.responseTime,
  responseBody: cipher.seal(place(delivery, `attempts/${number}`), attempt.responseBody),
});

export const deliveryItem = (accountId: string, cipher: Cipher, delivery: Delivery): Item => ({
  ...itemKeys.delivery(delivery.webhookId, delivery.id),
  entity: 'delivery',
  account: accountId,
  event: delivery.event,
  ...(delivery.eventId !== undefined && { eventId: delivery.eventId }),
  payload: cipher.seal(place(delivery, 'payload'), delivery.payload),
  state: delivery.state,
  attempts: delivery.attempts.map((attempt, number) => attemptItem(cipher, delivery, number, attempt)),
  earlierAttempts: delivery.earlierAttempts,
  ...(delivery.countedAs && { countedAs: delivery.countedAs }),
  expiresAt: Math.ceil((timeOfId(delivery.id) + keptMs) / 1_000),
});

/** A delivery's item, opened. */
export const deliveryFrom = (cipher: Cipher, webhookId: string, item: Item): Delivery => {
  const id = String(item['SK']);
  const open = (field: string, sealed: unknown) => cipher.open(place({ id, webhookId }, field), sealed as Uint8Array);
  return {
    id,
    webhookId,
    event: String(item['event']),
    eventId: item['eventId'] === undefined ? undefined : String(item['eventId']),
    payload: open('payload', item['payload']),
    state: item['state'] as DeliveryState,
    attempts: (item['attempts'] as Item[]).map((attempt, number) => ({
      startedMs: Date.parse(String(attempt['at'])),
      statusCode: Number(attempt['statusCode']),
      responseTime: Number(attempt['responseTime']),
      responseBody: open(`attempts/${number}`, attempt['responseBody']),
    })),
    earlierAttempts: Number(item['earlierAttempts']),
    countedAs: item['countedAs'] as Total | undefined,
  };
};
