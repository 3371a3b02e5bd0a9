import { Fault } from '../kit/fault.ts';
import { notFound } from '../kit/not-found.ts';
import type { FoundPayment } from './payment.ts';
import type { CheckoutSession, FoundSession } from './session.ts';
import { statusAt } from './session-status.ts';
import { settlementOfCancellation } from './settle-payment.ts';
import type { Settlement } from './settlement.ts';

export interface ExpireNowNeeds {
  readonly sessions: {
    find(sessionId: string): Promise<FoundSession | undefined>;
    /** False: it has ended, or no payment can begin any more already. */
    close(session: CheckoutSession, nowMs: number): Promise<boolean>;
    expire(session: CheckoutSession, nowMs: number): Promise<boolean>;
  };
  readonly payments: {
    find(sessionId: string, paymentId: string): Promise<FoundPayment | undefined>;
    saveSettlement(found: FoundPayment, settlement: Settlement): Promise<boolean>;
  };
}

/**
 * Ends a session before its time. At first no payment can begin any more. The one that is in progress is then cancelled as by its payer: money
 * that arrives for it is refunded. One that may have succeeded already is waited for, as at the session's own end, and completes the session or
 * expires with it.
 * @throws Fault `session_not_open` when it has ended
 */
export const expireNow = (needs: ExpireNowNeeds) => {
  const { sessions, payments } = needs;

  /** Whether the session is as it shall be; false: something has changed since it was read. */
  const end = async ({ session }: FoundSession, nowMs: number): Promise<boolean> => {
    if (session.livePaymentId === undefined) return sessions.expire(session, nowMs);
    const live = await payments.find(session.id, session.livePaymentId);
    if (live?.session.livePaymentId !== session.livePaymentId) return false;
    const cancellation = settlementOfCancellation(live, nowMs);
    return !cancellation || payments.saveSettlement(live, cancellation);
  };

  const settle = async (sessionId: string, nowMs: number): Promise<FoundSession> => {
    const found = await sessions.find(sessionId);
    if (!found) throw notFound('session_not_found');
    if (found.session.status === 'COMPLETED') throw notOpen();
    if (found.session.status === 'EXPIRED') return found;
    if (!(await end(found, nowMs))) return settle(sessionId, nowMs);
    const ended = await sessions.find(sessionId);
    return ended ?? found;
  };

  return async ({ session }: FoundSession, nowMs: number): Promise<FoundSession> => {
    if (statusAt(session, nowMs).status !== 'OPEN') throw notOpen();
    await sessions.close(session, nowMs);
    return settle(session.id, nowMs);
  };
};

const notOpen = () => new Fault('session_not_open', 'This session is completed or expired.');
