import * as z from 'zod';
import type { Queue } from '../../../shared/aws/queue.ts';
import { channels, statuses } from '../../../shared/messages/message.ts';
import type { EventStore } from '../../../shared/table/webhooks/event-store.ts';
import type { Happening } from '../../../shared/table/webhooks/event-teller.ts';
import type { WebhookStore } from '../../../shared/table/webhooks/webhook-store.ts';
import { eventRules, eventsBetween } from '../../../shared/webhooks/events.ts';
import type { FanOutJob } from '../../../shared/webhooks/jobs.ts';
import type { Change } from '../../../shared/work/stream-reader.ts';

export interface PublishEventsNeeds {
  readonly webhooks: Pick<WebhookStore, 'listeners'>;
  readonly events: Pick<EventStore, 'keep'>;
  readonly webhookEventsQueue: Queue<FanOutJob>;
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

/** Has every event of a message delivered to its subscriptions: it is kept, then its deliveries are queued in parts. */
export const publishEvents =
  ({ webhooks, events, webhookEventsQueue }: PublishEventsNeeds) =>
  async (changes: readonly Change[]): Promise<void> => {
    const happened = Map.groupBy(changes.flatMap(happeningsIn), ({ item }) => String(item['account']));
    const jobs = [...happened].map(async ([account, happenings]) =>
      events.keep(happenings, await webhooks.listeners(account)),
    );
    await webhookEventsQueue.send((await Promise.all(jobs)).flat());
  };

/** A change is told with its own time, so telling it again makes the same of it. */
const happeningsIn = ({ before, after, atMs }: Change): Happening[] => {
  if (!after) return [];
  const traces = row.parse(after);
  return eventsBetween(before && row.parse(before), traces).map((name) => ({
    name,
    atMs: Date.parse(eventRules[name].at(traces) ?? '') || atMs,
    item: after,
  }));
};
