import type { PaymentJob } from './jobs.ts';
import type { FoundPayment } from './payment.ts';
import type { PaymentResolver } from './resolve.ts';
import type { FoundSession } from './session.ts';
import { statusAt } from './session-status.ts';
import { isSimulated } from './simulation.ts';

export interface PollNeeds {
  readonly checkouts: {
    paymentIn(sessionId: string, paymentId: string): Promise<FoundPayment | undefined>;
    mayPoll(found: FoundPayment, nowMs: number): Promise<boolean>;
  };
  readonly resolver: Pick<PaymentResolver, 'resolve'>;
  readonly paymentsQueue: { send(jobs: readonly PaymentJob[]): Promise<void> };
}

/**
 * What somebody who waits for a payment sets going: it is asked about, unless a person must look at it. The simulator answers at once; a real gateway is asked by a worker,
 * once in five seconds at most, so that no request waits for it. Gives payment and session as they are then.
 */
export const pollPayment =
  ({ checkouts, resolver, paymentsQueue }: PollNeeds) =>
  async (found: FoundPayment, nowMs: number): Promise<FoundPayment> => {
    const { session, payment } = found;
    if (payment.mark === 'held') return found;
    if (session.livePaymentId !== payment.id || statusAt(session, nowMs).status !== 'OPEN') return found;
    if (isSimulated(payment)) return resolver.resolve(found, nowMs);
    if (await checkouts.mayPoll(found, nowMs)) {
      await paymentsQueue.send([{ kind: 'resolve', session: session.id, payment: payment.id }]);
    }
    return found;
  };

/** The same for a session, with the payment under way, if there is one. */
export const pollSession =
  (needs: PollNeeds) =>
  async (found: FoundSession, nowMs: number): Promise<FoundSession> => {
    const { livePaymentId, id } = found.session;
    const live = livePaymentId === undefined ? undefined : await needs.checkouts.paymentIn(id, livePaymentId);
    return live ? pollPayment(needs)(live, nowMs) : found;
  };
