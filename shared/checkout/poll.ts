import type { FoundPayment } from './payment.ts';
import type { PaymentJob } from './payment-job.ts';
import type { PaymentResolver } from './resolve.ts';
import type { FoundSession } from './session.ts';
import { statusAt } from './session-status.ts';
import { isSimulated } from './simulation.ts';

export interface PollNeeds {
  readonly payments: {
    find(sessionId: string, paymentId: string): Promise<FoundPayment | undefined>;
    claimPoll(found: FoundPayment, nowMs: number): Promise<boolean>;
  };
  readonly resolver: Pick<PaymentResolver, 'resolve'>;
  readonly paymentsQueue: { send(jobs: readonly PaymentJob[]): Promise<void> };
}

/** How often a payment may be queried at its gateway because a page or a server polls. */
export const pollIntervalMs = 5_000;

/**
 * Queries a payment that its session waits for, unless it is held for review. The simulator answers at once; a real gateway is queried by a worker, at most once in
 * `pollIntervalMs`, so that no request waits for it. Returns payment and session as they are then.
 */
export const pollPayment =
  ({ payments, resolver, paymentsQueue }: PollNeeds) =>
  async (found: FoundPayment, nowMs: number): Promise<FoundPayment> => {
    const { session, payment } = found;
    if (payment.mark === 'held') return found;
    if (session.livePaymentId !== payment.id || statusAt(session, nowMs).status !== 'OPEN') return found;
    if (isSimulated(payment)) return resolver.resolve(found, nowMs);
    if (await payments.claimPoll(found, nowMs)) {
      await paymentsQueue.send([
        { kind: 'resolve', account: found.account.id, session: session.id, payment: payment.id, isPoll: true },
      ]);
    }
    return found;
  };

/** Queries the payment of a session that is under way, if there is one, as `pollPayment` does. Returns the session as it is then. */
export const pollSession =
  (needs: PollNeeds) =>
  async (found: FoundSession, nowMs: number): Promise<FoundSession> => {
    const { livePaymentId, id } = found.session;
    const underWay = livePaymentId === undefined ? undefined : await needs.payments.find(id, livePaymentId);
    return underWay ? pollPayment(needs)(underWay, nowMs) : found;
  };
