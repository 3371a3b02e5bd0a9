import type { AccountRef } from '../kit/account-ref.ts';
import { InternalError } from '../kit/internal-error.ts';
import { deliveryId } from './delivery.ts';
import type { LoggedEvent } from './event-log.ts';
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

/** The number of an event for each subscription that wanted it when it was published. */
export type Sequences = Readonly<Record<string, number>>;

/** An account and its subscriptions, paused ones included. */
export interface Audience {
  readonly account: AccountRef;
  readonly listeners: readonly Listener[];
}

export interface PublisherNeeds {
  readonly accounts: { refOf(accountId: string): Promise<AccountRef | undefined> };
  readonly webhooks: { listeners(accountId: string): Promise<readonly Listener[]> };
  readonly events: {
    /** Stores events in their order, each once, and gives their numbers: those that it got when it was first stored. */
    storeNumbered(
      account: AccountRef,
      events: readonly (WebhookEvent & Pick<LoggedEvent, 'wantedBy'>)[],
    ): Promise<ReadonlyMap<string, Sequences>>;
  };
  readonly webhookDeliveriesQueue: { send(jobs: readonly DeliveryJob[]): Promise<void> };
}

/** Stores every event once, numbered for each subscription that wants it, then queues the first attempt of each delivery. A repetition does the same again. */
export const eventPublisher = ({ accounts, webhooks, events, webhookDeliveriesQueue }: PublisherNeeds) => ({
  audienceOf: async (accountId: string): Promise<Audience> => {
    const [account, listeners] = await Promise.all([accounts.refOf(accountId), webhooks.listeners(accountId)]);
    if (!account) throw new InternalError('the account of an event is gone', { accountId });
    return { account, listeners };
  },

  /** `delivering`: those of the events that this run queues the deliveries of, all by default. */
  publish: async (
    { account, listeners }: Audience,
    happened: readonly WebhookEvent[],
    { delivering = happened }: { readonly delivering?: readonly WebhookEvent[] } = {},
  ): Promise<void> => {
    if (happened.length === 0) return;
    const wanted = happened.map((event) => ({
      ...event,
      wantedBy: listeners.filter((listener) => listener.events.includes(event.name)).map(({ id }) => id),
    }));
    const sequences = await events.storeNumbered(account, wanted);
    const numbered = delivering.flatMap(({ id }) => Object.keys(sequences.get(id) ?? {}));
    const known = new Set(listeners.map(({ id }) => id));
    // Another run may have numbered an event for a subscription that was made since this one looked.
    const current = numbered.every((id) => known.has(id)) ? listeners : await webhooks.listeners(account.id);
    const active = current.filter(({ isActive }) => isActive);
    const jobs = delivering.flatMap((event) =>
      active.flatMap((listener) => {
        const sequence = sequences.get(event.id)?.[listener.id];
        return sequence === undefined ? [] : [firstAttempt(event, listener, sequence)];
      }),
    );
    await webhookDeliveriesQueue.send(jobs);
  },
});

/** The delivery itself is stored with its first outcome: until then, this job is all there is of it. */
export const firstAttempt = (
  event: Omit<WebhookEvent, 'payload'>,
  { account, id: webhook, pauses }: Pick<Listener, 'account' | 'id' | 'pauses'>,
  sequence: number,
): DeliveryJob => ({
  account: account.id,
  webhook,
  delivery: deliveryId(event.id, webhook, event.occurredMs),
  attempt: 1,
  lane: 'fast',
  begins: { eventId: event.id, event: event.name, pauses, sequence },
});
