import type { AccountRef } from '../kit/account-ref.ts';
import { type FanOutJob, listenersPerJob } from './jobs.ts';
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
  readonly webhookEventsQueue: { send(jobs: readonly FanOutJob[]): Promise<void> };
}

/** Stores each event that a subscription wants, once, then queues its deliveries in parts. A repetition does the same again. */
export const eventPublisher = ({ webhooks, events, webhookEventsQueue }: PublisherNeeds) => {
  const publish = async (occurrence: Occurrence, listeners: readonly Listener[]): Promise<FanOutJob[]> => {
    const wanting = listeners.filter((listener) => listener.events.includes(occurrence.name));
    const [first] = wanting;
    if (!first) return [];
    const event = await occurrence.build(first.account);
    await events.add(first.account, event);
    return fanOutJobs(first.account.id, event, wanting);
  };

  const publishAll = async (accountId: string, occurrences: readonly Occurrence[]): Promise<FanOutJob[]> => {
    const listeners = await webhooks.listeners(accountId);
    return (await Promise.all(occurrences.map((each) => publish(each, listeners)))).flat();
  };

  return async (occurrences: readonly Occurrence[]): Promise<void> => {
    const byAccount = Map.groupBy(occurrences, ({ accountId }) => accountId);
    const jobs = await Promise.all([...byAccount].map(([accountId, some]) => publishAll(accountId, some)));
    await webhookEventsQueue.send(jobs.flat());
  };
};

const fanOutJobs = (
  account: string,
  { id, name, occurredMs }: WebhookEvent,
  listeners: readonly Listener[],
): FanOutJob[] =>
  Array.from({ length: Math.ceil(listeners.length / listenersPerJob) }, (_, part) => ({
    account,
    eventId: id,
    event: name,
    atMs: occurredMs,
    listeners: listeners
      .slice(part * listenersPerJob, (part + 1) * listenersPerJob)
      .map((listener) => ({ id: listener.id, pauses: listener.pauses })),
  }));
