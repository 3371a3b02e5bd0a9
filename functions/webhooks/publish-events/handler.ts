import * as z from 'zod';
import { channels, statuses } from '../../../shared/messages/message.ts';
import type { MessageStore } from '../../../shared/table/messages/message-store.ts';
import { eventRules, eventsBetween } from '../../../shared/webhooks/events.ts';
import { messageEvent } from '../../../shared/webhooks/payload.ts';
import { eventPublisher, type Occurrence, type PublisherNeeds } from '../../../shared/webhooks/publish.ts';
import type { Change } from '../../../shared/work/stream-reader.ts';

export interface PublishEventsNeeds extends PublisherNeeds {
  readonly messages: Pick<MessageStore, 'fromImage'>;
}

const instant = z.string().nullable().default(null);
const row = z.object({
  account: z.string(),
  channel: z.enum(channels),
  status: z.enum(statuses),
  sentAt: instant,
  deliveredAt: instant,
  failedAt: instant,
});

/** Publishes every event of a message to its subscriptions. */
export const publishEvents = ({ messages, ...needs }: PublishEventsNeeds) => {
  const publish = eventPublisher(needs);

  /** A change carries its own time, so a repetition gives the same events. */
  const occurrencesIn = ({ before, after, atMs }: Change): Occurrence[] => {
    if (!after) return [];
    const state = row.parse(after);
    return eventsBetween(before && row.parse(before), state).map((name) => ({
      accountId: state.account,
      name,
      build: async (account) => {
        const occurredMs = Date.parse(eventRules[name].at(state) ?? '') || atMs;
        return messageEvent(name, await messages.fromImage(account, after), occurredMs);
      },
    }));
  };

  return (changes: readonly Change[]): Promise<void> => publish(changes.flatMap(occurrencesIn));
};
