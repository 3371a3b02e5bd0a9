import { InternalError } from '../../../shared/kit/internal-error.ts';
import { groupOfAll } from '../../../shared/kit/job-group.ts';
import type { MessageEventJob } from '../../../shared/messages/jobs.ts';
import type { Message } from '../../../shared/messages/message.ts';
import { asItWas, type PastState } from '../../../shared/messages/past-message.ts';
import type { MessageStore } from '../../../shared/table/messages/message-store.ts';
import { type EventName, eventRules, eventsBetween } from '../../../shared/webhooks/events.ts';
import { messageEvent } from '../../../shared/webhooks/payload.ts';
import { eventPublisher, type PublisherNeeds, type WebhookEvent } from '../../../shared/webhooks/publish.ts';
import { keptSinceMs } from '../../../shared/webhooks/retention.ts';
import type { Guard } from '../../../shared/work/queue-worker.ts';

export interface PublishEventsNeeds extends PublisherNeeds {
  readonly messages: Pick<MessageStore, 'readEach'>;
}

export const groupOf = ({ account }: MessageEventJob) => ({ account });

const timeOf = (text: string | null): number => Date.parse(text ?? '') || 0;

/** The time of a change is known to the second, and what led to it to the millisecond: an event is not dated before the one that it follows. */
const notBefore = ({ sentAt, deliveredAt }: Pick<PastState, 'sentAt' | 'deliveredAt'>, atMs: number): number =>
  Math.max(atMs, timeOf(sentAt), timeOf(deliveredAt));

/**
 * Publishes the events of changes of an account's messages, together. Each job has the time of its change, so a repetition gives the same events. The
 * event before a change gets its number first, if its own job is late.
 */
export const publishEvents = ({ messages, ...needs }: PublishEventsNeeds) => {
  const { audienceOf, publish } = eventPublisher(needs);

  const eventsOf = async (job: MessageEventJob, read: { open(): Promise<Message | undefined> } | undefined) => {
    const message = await read?.open();
    if (!message) throw new InternalError('the message of an event is gone', { messageId: job.message });
    const eventOf = (name: EventName, state: Pick<MessageEventJob, keyof PastState>): WebhookEvent => {
      const at = eventRules[name].at({ ...state, channel: job.channel });
      return messageEvent(name, asItWas(message, state), timeOf(at) || notBefore(state, job.atMs));
    };
    const before = job.before && { ...job.before, failureCode: null };
    const earlier = before ? leadingTo(before).map((name) => eventOf(name, before)) : [];
    return {
      // One that is no longer kept has had its number, and would get another.
      earlier: earlier.filter(({ occurredMs }) => occurredMs > keptSinceMs(job.atMs)),
      own: namesOf(job).map((name) => eventOf(name, job)),
    };
  };

  return async (jobs: readonly MessageEventJob[], guard: Guard<MessageEventJob>): Promise<void> => {
    const audience = await audienceOf(groupOfAll(jobs, groupOf).account);
    const eventful = jobs.filter((job) => namesOf(job).length > 0);
    const wanted = eventful.map(({ message: id, channel }) => ({ id, channel }));
    const read = await messages.readEach(audience.account, wanted);
    const events = await Promise.all(eventful.map((job, n) => guard(job, () => eventsOf(job, read[n]))));
    const found = events.flatMap((some) => some ?? []);
    await publish(audience, eachOnce(found.flatMap(({ earlier, own }) => [...earlier, ...own])), {
      delivering: eachOnce(found.flatMap(({ own }) => own)),
    });
  };
};

const namesOf = (job: MessageEventJob): EventName[] =>
  eventsBetween(job.before && { ...job.before, channel: job.channel }, job);

/** The event that led to a state, if that is known of it to the letter. */
const leadingTo = ({ status, sentAt, deliveredAt }: PastState): EventName[] => {
  if (status === 'sent' && sentAt !== null) return ['message.sent'];
  return status === 'delivered' && deliveredAt !== null ? ['message.delivered'] : [];
};

/** A batch may contain a change twice. */
const eachOnce = (events: readonly WebhookEvent[]): WebhookEvent[] => [
  ...new Map(events.map((event) => [event.id, event])).values(),
];
