import type { PaymentJobOf } from '../../../shared/checkout/payment-job.ts';
import type { PaymentResolver } from '../../../shared/checkout/resolve.ts';
import { endsMs } from '../../../shared/checkout/session-status.ts';
import type { PaymentStore } from '../../../shared/table/checkout/payment-store.ts';
import type { SessionStore } from '../../../shared/table/checkout/session-store.ts';

export interface RecordExpiryNeeds {
  readonly sessions: Pick<SessionStore, 'find' | 'expire'>;
  readonly payments: Pick<PaymentStore, 'find'>;
  readonly resolver: Pick<PaymentResolver, 'resolve'>;
}

/** Writes that a session has expired, which it reads as already. The payment that it waits for is asked about a last time. */
export const recordExpiry =
  ({ sessions, payments, resolver }: RecordExpiryNeeds) =>
  async (job: PaymentJobOf<'expire'>, nowMs: number): Promise<void> => {
    const found = await sessions.find(job.session);
    if (found?.session.status !== 'OPEN' || nowMs < endsMs(found.session)) return;
    const { id, livePaymentId } = found.session;
    const live = livePaymentId && (await payments.find(id, livePaymentId));
    if (live) await resolver.resolve(live, nowMs);
    else await sessions.expire(found.session, nowMs);
  };
