import { Fault, type FaultCode } from '../kit/fault.ts';
import { type BeginNeeds, beginPayment } from './begin.ts';
import type { Payment } from './payment.ts';
import type { FoundSession } from './session.ts';

export interface StartNeeds extends BeginNeeds {
  readonly checkouts: BeginNeeds['checkouts'] & {
    find(sessionId: string): Promise<FoundSession | undefined>;
    attempts(found: FoundSession): Promise<readonly Payment[]>;
  };
}

interface Start {
  readonly acceptanceMethodId: string;
  /** How many payments had been begun when the payer decided. */
  readonly begun: number;
  readonly paymentId: string;
  readonly nowMs: number;
}

/**
 * A payer's tap: begins a payment or, where one with this method has been begun since they decided, gives that one. So tapping twice, or
 * sending the form again, pays once. Undefined: nothing was begun, and the session's page shows why.
 */
export const startPayment = (needs: StartNeeds) => {
  const { checkouts } = needs;
  const begin = beginPayment(needs);

  const begunSince = async (found: FoundSession, start: Start): Promise<Payment | undefined> => {
    const latest = (await checkouts.attempts(found)).at(-1);
    return latest?.acceptanceMethodId === start.acceptanceMethodId ? latest : undefined;
  };

  return async (found: FoundSession, start: Start): Promise<Payment | undefined> => {
    if (isOvertaken(found, start)) return begunSince(found, start);
    const outcome = await begin(found, start).catch(codeOf);
    if (typeof outcome !== 'string') return outcome.payment;
    const now = await checkouts.find(found.session.id);
    return now && isOvertaken(now, start) ? begunSince(now, start) : undefined;
  };
};

const isOvertaken = ({ session }: FoundSession, { begun }: Start): boolean =>
  session.livePaymentId !== undefined || session.payments > begun;

const codeOf = (thrown: unknown): FaultCode => {
  if (thrown instanceof Fault) return thrown.code;
  throw thrown;
};
