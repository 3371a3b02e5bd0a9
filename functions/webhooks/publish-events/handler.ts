import { InternalError } from '../../../shared/kit/internal-error.ts';
import type { MessageEventJob } from '../../../shared/messages/jobs.ts';
import { asItWas } from '../../../shared/messages/past-message.ts';
import type { MessageStore } from '../../../shared/table/messages/message-store.ts';
import { type EventName, eventRules, eventsBetween } from '../../../shared/webhooks/events.ts';
import { messageEvent } from '../../../shared/webhooks/payload.ts';
import { eventPublisher, type Occurrence, type PublisherNeeds } from '../../../shared/webhooks/publish.ts';

export interface PublishEventsNeeds extends PublisherNeeds {
  readonly messages: Pick<MessageStore, 'find'>;
}

/** Publishes the events of a message's change to its subscriptions. The job has the time of the change, so a repetition gives the same events. */
export const publishEvents = ({ messages, ...needs }: PublishEventsNeeds) => {
  const publish = eventPublisher(needs);

  const build =
    (job: MessageEventJob, name: EventName): Occurrence['build'] =>
    async (account) => {
      const message = await messages.find(account, job.message, job.channel);
      if (!message) throw new InternalError('the message of an event is gone', { messageId: job.message });
      const occurredMs = Date.parse(eventRules[name].at(job) ?? '') || job.atMs;
      return messageEvent(name, asItWas(message, job), occurredMs);
    };

  return (job: MessageEventJob): Promise<void> => {
    const before = job.before && { ...job.before, channel: job.channel };
    const names = eventsBetween(before, job);
    return publish(names.map((name) => ({ accountId: job.account, name, build: build(job, name) })));
  };
};
