import {
  type CheckoutEventName,
  eventOfPayment,
  eventOfRefund,
  paymentEvent,
  refundEvent,
  sessionEvent,
} from '../../../shared/checkout/events.ts';
import { timeOfId } from '../../../shared/kit/id.ts';
import { InternalError } from '../../../shared/kit/internal-error.ts';
import { log } from '../../../shared/kit/log.ts';
import { metered } from '../../../shared/kit/metrics.ts';
import type { EventNotice, NoticeJobOf } from '../../../shared/notices/notice-job.ts';
import type { PaymentStore } from '../../../shared/table/checkout/payment-store.ts';
import type { RefundStore } from '../../../shared/table/checkout/refund-store.ts';
import type { SessionStore } from '../../../shared/table/checkout/session-store.ts';
import { eventPublisher, type PublisherNeeds, type WebhookEvent } from '../../../shared/webhooks/publish.ts';

export interface PublishCheckoutEventNeeds extends Omit<PublisherNeeds, 'webhooks' | 'events'> {
  readonly checkoutEvents: PublisherNeeds['events'];
  readonly checkoutWebhooks: PublisherNeeds['webhooks'];
  readonly sessions: Pick<SessionStore, 'find'>;
  readonly payments: Pick<PaymentStore, 'find'>;
  readonly refunds: Pick<RefundStore, 'find'>;
}

const eventOf = (job: EventNotice): CheckoutEventName | undefined => {
  if (job.kind === 'session') return 'checkout_session.expired';
  return job.kind === 'payment' ? eventOfPayment(job) : eventOfRefund(job);
};

/** Publishes the event of a payment, a refund or a session to the merchant's subscriptions. All that it says never changes, but the status, which the job has. */
export const publishCheckoutEvent = ({
  checkoutWebhooks,
  sessions,
  payments,
  refunds,
  checkoutEvents,
  ...needs
}: PublishCheckoutEventNeeds) => {
  const { audienceOf, publish } = eventPublisher({ ...needs, webhooks: checkoutWebhooks, events: checkoutEvents });

  const build = async (job: EventNotice, name: CheckoutEventName): Promise<WebhookEvent> => {
    if (job.kind === 'refund') {
      const found = await refunds.find(job.session, job.refund);
      if (!found) throw new InternalError('the refund of an event is gone', { refundId: job.refund });
      return refundEvent(name, { ...found.refund, status: job.status }, timeOf(job.refund, job.atMs));
    }
    if (job.kind === 'session') {
      const found = await sessions.find(job.session);
      if (!found) throw new InternalError('the session of an event is gone', { sessionId: job.session });
      return sessionEvent(name, found.session, timeOf(job.session, job.atMs));
    }
    const found = await payments.find(job.session, job.payment);
    if (!found) throw new InternalError('the payment of an event is gone', { paymentId: job.payment });
    return paymentEvent(name, found.payment, found.session.metadata, timeOf(job.payment, job.atMs));
  };

  return async (job: EventNotice): Promise<void> => {
    const name = eventOf(job);
    if (name) await publish(await audienceOf(job.account), [await build(job, name)]);
    // Last: the line is counted, and a job that fails comes back.
    if (job.kind !== 'session') reportEnd(job);
  };
};

const reportEnd = (job: NoticeJobOf<'payment' | 'refund'>): void => {
  const outcome = job.kind === 'payment' && job.mark === 'surplus' ? job.mark : job.status.toLowerCase();
  const counted = metered({ [job.kind === 'payment' ? 'payments' : 'refunds']: 1 }, outcome);
  log('info', `a ${job.kind} has ended`, { accountId: job.account, sessionId: job.session, outcome, ...counted });
};

/** The stream rounds the time of a change down to the second, but nothing happens to what does not exist. */
const timeOf = (id: string, atMs: number): number => Math.max(atMs, timeOfId(id));
