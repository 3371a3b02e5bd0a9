import { Fault } from '../kit/fault.ts';
import { type BeginPaymentOfNeeds, beginPaymentOf, hasBegunSince, type PaymentWish } from './begin-payment.ts';
import type { Payment } from './payment.ts';
import type { FoundSession } from './session.ts';

export interface BeginPaymentOnceNeeds extends BeginPaymentOfNeeds {
  readonly sessions: { find(sessionId: string): Promise<FoundSession | undefined> };
  readonly payments: BeginPaymentOfNeeds['payments'] & {
    listOfSession(found: FoundSession): Promise<readonly Payment[]>;
  };
}

interface PaymentTap extends PaymentWish {
  /** How many payments the session had when the payer saw the page. */
  readonly paymentCount: number;
}

/**
 * A payer's tap on the page: begins a payment or, where one with this method has begun since the page was shown, returns that one. So tapping
 * twice, or sending the form again, pays once. Otherwise no payment was begun, and the session's page shows why: by how the session stands, or
 * because the method is `unavailable` since the page was shown.
 */
export const beginPaymentOnce = (needs: BeginPaymentOnceNeeds) => {
  const { sessions, payments } = needs;
  const begin = beginPaymentOf(needs);

  const latestWith = async (found: FoundSession, { acceptanceMethodId }: PaymentTap): Promise<Payment | undefined> => {
    const latest = (await payments.listOfSession(found)).at(-1);
    return latest?.acceptanceMethodId === acceptanceMethodId ? latest : undefined;
  };

  return async (found: FoundSession, tap: PaymentTap): Promise<Payment | 'unavailable' | undefined> => {
    if (hasBegunSince(found.session, tap.paymentCount)) return latestWith(found, tap);
    try {
      return (await begin(found, tap)).payment;
    } catch (thrown) {
      if (!(thrown instanceof Fault)) throw thrown;
      const current = await sessions.find(found.session.id);
      if (current && hasBegunSince(current.session, tap.paymentCount)) return latestWith(current, tap);
      return thrown.code === 'method_unavailable' ? 'unavailable' : undefined;
    }
  };
};
