import type { AccountRef } from '../kit/account-ref.ts';
import { deliveryId } from './delivery.ts';
import type { DeliveryJob } from './jobs.ts';
import type { Listener } from './webhook.ts';

/** An event as its receivers get it. The same change always gives the same id and, to the letter, the same payload. */
export interface WebhookEvent {
  readonly id: string;
  readonly name: string;
  readonly occurredMs: number;
  /** The raw body. */
  readonly payload: string;
}

/** An event of an account. It is built only if a subscription wants it, because that decrypts what it happened to. */
export interface Occurrence {
  readonly accountId: string;
  readonly name: string;
  readonly build: (account: AccountRef) => Promise<WebhookEvent>;
}

export interface PublisherNeeds {
  readonly webhooks: { listeners(accountId: string): Promise<readonly Listener[]> };
  readonly events: { add(account: AccountRef, event: WebhookEvent): Promise<void> };
  readonly webhookDeliveriesQueue: { send(jobs: readonly DeliveryJob[]): Promise<void> };
}

/** Stores each event that a subscription wants, once, then queues the first attempt of each delivery. A repetition does the same again. */
export const eventPublisher = ({ webhooks, events, webhookDeliveriesQueue }: PublisherNeeds) => {
  const publish = async (occurrence: Occurrence, listeners: readonly Listener[]): Promise<DeliveryJob[]> => {
    const wanting = listeners.filter((listener) => listener.events.includes(occurrence.name));
    const [first] = wanting;
    if (!first) return [];
    const event = await occurrence.build(first.account);
    await events.add(first.account, event);
    return wanting.map((listener) => firstAttempt(event, listener));
  };

  const publishAll = async (accountId: string, occurrences: readonly Occurrence[]): Promise<DeliveryJob[]> => {
    const listeners = await webhooks.listeners(accountId);
    return (await Promise.all(occurrences.map((each) => publish(each, listeners)))).flat();
  };

  return async (occurrences: readonly Occurrence[]): Promise<void> => {
    const byAccount = Map.groupBy(occurrences, ({ accountId }) => accountId);
    const jobs = await Promise.all([...byAccount].map(([accountId, some]) => publishAll(accountId, some)));
    await webhookDeliveriesQueue.send(jobs.flat());
  };
};

/** The delivery itself is stored with its first outcome: until then, this job is all there is of it. */
const firstAttempt = (event: WebhookEvent, { account, id: webhook, pauses }: Listener): DeliveryJob => ({
  account: account.id,
  webhook,
  delivery: deliveryId(event.id, webhook, event.occurredMs),
  attempt: 1,
  lane: 'fast',
  begins: { eventId: event.id, event: event.name, pauses },
});
