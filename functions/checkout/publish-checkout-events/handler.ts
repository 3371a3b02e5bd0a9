import * as z from 'zod';
import {
  type CheckoutEventName,
  eventOfPayment,
  eventOfRefund,
  paymentEvent,
  refundEvent,
} from '../../../shared/checkout/events.ts';
import { paymentMarks, refundStatuses } from '../../../shared/checkout/payment.ts';
import { paymentStatuses } from '../../../shared/checkout/session.ts';
import { timeOfId } from '../../../shared/kit/id.ts';
import { emptyObject } from '../../../shared/kit/json-text.ts';
import type { PaymentStore } from '../../../shared/table/checkout/payment-store.ts';
import type { RefundStore } from '../../../shared/table/checkout/refund-store.ts';
import type { SessionStore } from '../../../shared/table/checkout/session-store.ts';
import { eventPublisher, type Occurrence, type PublisherNeeds } from '../../../shared/webhooks/publish.ts';
import type { Change } from '../../../shared/work/stream-reader.ts';

export interface PublishCheckoutEventsNeeds extends Omit<PublisherNeeds, 'webhooks'> {
  readonly checkoutWebhooks: PublisherNeeds['webhooks'];
  readonly sessions: Pick<SessionStore, 'find'>;
  readonly payments: Pick<PaymentStore, 'fromImage'>;
  readonly refunds: Pick<RefundStore, 'fromImage'>;
}

const row = z.discriminatedUnion('entity', [
  z.object({
    entity: z.literal('payment'),
    account: z.string(),
    session: z.string(),
    payment: z.string(),
    status: z.enum(paymentStatuses),
    mark: z.enum(paymentMarks).optional(),
  }),
  z.object({
    entity: z.literal('refund'),
    account: z.string(),
    refund: z.string(),
    status: z.enum(refundStatuses),
    isAutomatic: z.boolean(),
  }),
]);

type Row = z.output<typeof row>;

/** Publishes every event of a payment or a refund to the merchant's subscriptions. */
export const publishCheckoutEvents = (needs: PublishCheckoutEventsNeeds) => {
  const { checkoutWebhooks, sessions, payments, refunds } = needs;
  const publish = eventPublisher({ ...needs, webhooks: checkoutWebhooks });

  const occurrencesIn = ({ before, after, atMs }: Change): Occurrence[] => {
    if (!after) return [];
    const state = row.parse(after);
    const name = eventBetween(before && row.parse(before), state);
    if (!name) return [];
    const build: Occurrence['build'] = async (account) => {
      if (state.entity === 'refund')
        return refundEvent(name, await refunds.fromImage(account, after), timeOf(state.refund, atMs));
      const [payment, found] = await Promise.all([payments.fromImage(account, after), sessions.find(state.session)]);
      return paymentEvent(name, payment, found?.session.metadata ?? emptyObject, timeOf(state.payment, atMs));
    };
    return [{ accountId: state.account, name, build }];
  };

  return (changes: readonly Change[]): Promise<void> => publish(changes.flatMap(occurrencesIn));
};

/** The stream rounds the time of a change down to the second, but nothing happens to a payment or a refund before it exists. */
const timeOf = (id: string, atMs: number): number => Math.max(atMs, timeOfId(id));

const eventBetween = (before: Row | undefined, after: Row): CheckoutEventName | undefined => {
  if (after.entity === 'payment') return eventOfPayment(before?.entity === 'payment' ? before : undefined, after);
  return eventOfRefund(before?.entity === 'refund' ? before : undefined, after);
};
