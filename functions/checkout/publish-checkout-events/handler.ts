import * as z from 'zod';
import type { Queue } from '../../../shared/aws/queue.ts';
import { eventOfPayment, eventOfRefund } from '../../../shared/checkout/events.ts';
import { paymentMarks, refundStatuses } from '../../../shared/checkout/payment.ts';
import { paymentStatuses } from '../../../shared/checkout/session.ts';
import { timeOfId } from '../../../shared/kit/id.ts';
import type { EventStore } from '../../../shared/table/webhooks/event-store.ts';
import type { Happening } from '../../../shared/table/webhooks/event-teller.ts';
import type { WebhookStore } from '../../../shared/table/webhooks/webhook-store.ts';
import type { FanOutJob } from '../../../shared/webhooks/jobs.ts';
import type { Change } from '../../../shared/work/stream-reader.ts';

export interface PublishCheckoutEventsNeeds {
  readonly checkoutWebhooks: Pick<WebhookStore, 'listeners'>;
  readonly events: Pick<EventStore, 'keep'>;
  readonly webhookEventsQueue: Queue<FanOutJob>;
}

const row = z.discriminatedUnion('entity', [
  z.object({
    entity: z.literal('payment'),
    status: z.enum(paymentStatuses),
    mark: z.enum(paymentMarks).optional(),
  }),
  z.object({ entity: z.literal('refund'), status: z.enum(refundStatuses), isAutomatic: z.boolean() }),
]);

type Row = z.output<typeof row>;

/** Has every event of a payment or a refund delivered to its subscriptions: it is kept, then its deliveries are queued in parts. */
export const publishCheckoutEvents =
  ({ checkoutWebhooks, events, webhookEventsQueue }: PublishCheckoutEventsNeeds) =>
  async (changes: readonly Change[]): Promise<void> => {
    const happened = Map.groupBy(changes.flatMap(happeningsIn), ({ item }) => String(item['account']));
    const jobs = [...happened].map(async ([account, happenings]) =>
      events.keep(happenings, await checkoutWebhooks.listeners(account)),
    );
    await webhookEventsQueue.send((await Promise.all(jobs)).flat());
  };

/**
 * A change is told with its own time, so telling it again makes the same of it. The stream rounds that down to the second; nothing happens to
 * a payment or a refund before it is there.
 */
const happeningsIn = ({ before, after, atMs }: Change): Happening[] => {
  if (!after) return [];
  const name = eventBetween(before && row.parse(before), row.parse(after));
  const madeMs = timeOfId(String(after['refund'] ?? after['payment']));
  return name ? [{ name, atMs: Math.max(atMs, madeMs), item: after }] : [];
};

const eventBetween = (before: Row | undefined, after: Row) => {
  if (after.entity === 'payment') return eventOfPayment(before?.entity === 'payment' ? before : undefined, after);
  return eventOfRefund(before?.entity === 'refund' ? before : undefined, after);
};
