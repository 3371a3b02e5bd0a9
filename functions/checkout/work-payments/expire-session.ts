import type { LateQueue } from '../../../shared/aws/schedule.ts';
import type { PaymentJob, PaymentJobOf } from '../../../shared/checkout/jobs.ts';
import type { PaymentResolver } from '../../../shared/checkout/resolve.ts';
import { endsMs } from '../../../shared/checkout/session-status.ts';
import type { PaymentStore } from '../../../shared/table/checkout/payment-store.ts';
import type { SessionStore } from '../../../shared/table/checkout/session-store.ts';

export interface ExpireSessionNeeds {
  readonly sessions: Pick<SessionStore, 'find' | 'expire'>;
  readonly payments: Pick<PaymentStore, 'find'>;
  readonly resolver: Pick<PaymentResolver, 'resolve'>;
  readonly latePaymentsQueue: LateQueue<PaymentJob>;
}

/** Writes down that a session has expired, which it reads as already. One that waits for its payment is looked at when it waits no longer. */
export const expireSession =
  ({ sessions, payments, resolver, latePaymentsQueue }: ExpireSessionNeeds) =>
  async (job: PaymentJobOf<'expire'>, nowMs: number): Promise<void> => {
    const found = await sessions.find(job.session);
    if (found?.session.status !== 'OPEN') return;
    const { session } = found;
    const dueMs = endsMs(session);
    if (nowMs < dueMs) return latePaymentsQueue.sendAt(job, { dueMs, nowMs, name: `checkout-end-${session.id}` });
    const live = session.livePaymentId && (await payments.find(session.id, session.livePaymentId));
    if (live) await resolver.resolve(live, nowMs);
    else await sessions.expire(session, nowMs);
  };
