import type { AccountRef } from '../../../shared/kit/account-ref.ts';
import { InternalError } from '../../../shared/kit/internal-error.ts';
import type { MessageEventJob } from '../../../shared/messages/jobs.ts';
import { asItWas } from '../../../shared/messages/past-message.ts';
import type { MessageStore } from '../../../shared/table/messages/message-store.ts';
import { eventRules, eventsBetween } from '../../../shared/webhooks/events.ts';
import { messageEvent } from '../../../shared/webhooks/payload.ts';
import { eventPublisher, type PublisherNeeds, type WebhookEvent } from '../../../shared/webhooks/publish.ts';
import type { Guard } from '../../../shared/work/queue-worker.ts';

export interface PublishEventsNeeds extends PublisherNeeds {
  readonly messages: Pick<MessageStore, 'find'>;
}

/** Publishes the events of changes of an account's messages, together. Each job has the time of its change, so a repetition gives the same events. */
export const publishEvents = ({ messages, ...needs }: PublishEventsNeeds) => {
  const { audienceOf, publish } = eventPublisher(needs);

  const eventsOf = async (account: AccountRef, job: MessageEventJob): Promise<WebhookEvent[]> => {
    const names = eventsBetween(job.before && { ...job.before, channel: job.channel }, job);
    if (names.length === 0) return [];
    const message = await messages.find(account, job.message, job.channel);
    if (!message) throw new InternalError('the message of an event is gone', { messageId: job.message });
    return names.map((name) => {
      const occurredMs = Date.parse(eventRules[name].at(job) ?? '') || job.atMs;
      return messageEvent(name, asItWas(message, job), occurredMs);
    });
  };

  return async (jobs: readonly MessageEventJob[], guard: Guard<MessageEventJob>): Promise<void> => {
    const [first] = jobs;
    if (!first) return;
    const audience = await audienceOf(first.account);
    const events = await Promise.all(jobs.map((job) => guard(job, () => eventsOf(audience.account, job))));
    await publish(audience, eachOnce(events.flatMap((some) => some ?? [])));
  };
};

/** A batch may contain a change twice. */
const eachOnce = (events: readonly WebhookEvent[]): WebhookEvent[] => [
  ...new Map(events.map((event) => [event.id, event])).values(),
];
