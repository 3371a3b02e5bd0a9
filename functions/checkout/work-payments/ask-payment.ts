import { isOver } from '../../../shared/checkout/claim.ts';
import type { FoundPayment, Payment } from '../../../shared/checkout/payment.ts';
import type { PaymentResolver } from '../../../shared/checkout/resolve.ts';
import { isInTime } from '../../../shared/checkout/settlement.ts';
import type { CheckoutStore } from '../../../shared/table/checkout/checkout-store.ts';

export interface AskPaymentNeeds {
  readonly checkouts: Pick<CheckoutStore, 'releaseConfirm'>;
  readonly resolver: Pick<PaymentResolver, 'ask' | 'settle'>;
}

interface Asked {
  readonly found: FoundPayment;
  /** The run that was to have it confirmed died, or its call was lost: nothing is confirmed, and the next run may do it. */
  readonly isForgotten: boolean;
  /** A confirmation has been tried, and what became of it is not known. */
  readonly isUnclear: boolean;
}

/** Asks what has become of a payment, and whether a confirmation that was broken off must be made again. */
export const askPayment =
  ({ checkouts, resolver }: AskPaymentNeeds) =>
  async (found: FoundPayment, nowMs: number): Promise<Asked> => {
    const { confirmation } = found.payment;
    const answer = await resolver.ask(found);
    const mayConfirm = answer.state === 'pending' && isInTime({ ...found, nowMs });
    if (confirmation && mayConfirm && isOver(confirmation, nowMs)) {
      const isForgotten = await checkouts.releaseConfirm(found.payment, confirmation);
      return { found, isForgotten, isUnclear: false };
    }
    const now = await resolver.settle(found, answer, nowMs);
    return { found: now, isForgotten: false, isUnclear: confirmation !== undefined && isUnclear(now.payment) };
  };

const isUnclear = ({ status, mark }: Payment): boolean =>
  (status === 'PENDING' && mark !== 'held') || status === 'EXPIRED';
