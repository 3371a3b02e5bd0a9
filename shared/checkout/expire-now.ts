import { notFound } from '../kit/not-found.ts';
import type { Clock } from '../kit/time.ts';
import type { FoundPayment } from './payment.ts';
import type { PaymentResolver } from './resolve.ts';
import type { CheckoutSession, FoundSession } from './session.ts';
import { notOpen, statusAt } from './session-status.ts';

export interface ExpireNowNeeds {
  readonly sessions: {
    find(sessionId: string): Promise<FoundSession | undefined>;
    /** False: it has ended, or no payment can begin any more already. */
    close(session: CheckoutSession, nowMs: number): Promise<boolean>;
    expire(session: CheckoutSession, nowMs: number): Promise<boolean>;
  };
  readonly payments: { find(sessionId: string, paymentId: string): Promise<FoundPayment | undefined> };
  readonly resolver: Pick<PaymentResolver, 'cancel'>;
  readonly clock: Clock;
}

/**
 * Ends a session before its time. At first no payment can begin any more. The one that is in progress is then cancelled as by its payer, after
 * its gateway was asked: money that arrives for it later is refunded. One that may have succeeded already is waited for, as at the session's own
 * end, and completes the session or expires with it.
 * @throws Fault `session_not_open` when it has ended, also by a payment that turns out to have succeeded
 */
export const expireNow = ({ sessions, payments, resolver, clock }: ExpireNowNeeds) => {
  /** Whether the session still waits for this payment, because it may have succeeded. */
  const isWaitedFor = async (sessionId: string, paymentId: string): Promise<boolean> => {
    const found = await payments.find(sessionId, paymentId);
    const afterCancel = found && (await resolver.cancel(found, clock));
    return afterCancel?.session.livePaymentId === paymentId;
  };

  const settle = async (sessionId: string): Promise<FoundSession> => {
    const found = await sessions.find(sessionId);
    if (!found) throw notFound('session_not_found');
    const { status, livePaymentId } = found.session;
    if (status === 'COMPLETED') throw notOpen(found.session, clock());
    if (status === 'EXPIRED') return found;
    if (livePaymentId === undefined) await sessions.expire(found.session, clock());
    else if (await isWaitedFor(sessionId, livePaymentId)) return found;
    return settle(sessionId);
  };

  return async ({ session }: FoundSession): Promise<FoundSession> => {
    const nowMs = clock();
    if (statusAt(session, nowMs).status !== 'OPEN') throw notOpen(session, nowMs);
    await sessions.close(session, nowMs);
    return settle(session.id);
  };
};
