import { isOver } from '../../../shared/checkout/claim.ts';
import type { FoundPayment, Payment } from '../../../shared/checkout/payment.ts';
import type { PaymentResolver } from '../../../shared/checkout/resolve.ts';
import { isInTime } from '../../../shared/checkout/settlement.ts';

export interface QueryPaymentNeeds {
  readonly resolver: Pick<PaymentResolver, 'query' | 'applyAnswer'>;
}

interface Asked {
  readonly found: FoundPayment;
  /** The gateway gave no usable answer, or has not decided about the money. */
  readonly isUndecided: boolean;
  /** The run that was to have it confirmed died, or its call was lost: nothing is confirmed. Whoever releases its claim may do it. */
  readonly isConfirmationLost: boolean;
  /** A confirmation has been tried, and what became of it is not known. */
  readonly isConfirmationUnclear: boolean;
}

/** Asks what has become of a payment, and whether a confirmation that was broken off must be made again. */
export const queryPayment =
  ({ resolver }: QueryPaymentNeeds) =>
  async (found: FoundPayment, nowMs: number): Promise<Asked> => {
    const { confirmationClaim } = found.payment;
    const answer = await resolver.query(found);
    const mayConfirm = answer.state === 'pending' && isInTime({ ...found, nowMs });
    if (confirmationClaim && mayConfirm && isOver(confirmationClaim, nowMs))
      return { found, isUndecided: false, isConfirmationLost: true, isConfirmationUnclear: false };
    const now = await resolver.applyAnswer(found, answer, nowMs);
    return {
      found: now,
      isUndecided: answer.state === 'unknown' || answer.isUndecided === true,
      isConfirmationLost: false,
      isConfirmationUnclear: confirmationClaim !== undefined && isUnclear(now.payment),
    };
  };

const isUnclear = ({ status, mark }: Payment): boolean =>
  (status === 'PENDING' && mark !== 'held') || status === 'EXPIRED';
