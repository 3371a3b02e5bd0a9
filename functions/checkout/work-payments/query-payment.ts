import { isOver } from '../../../shared/checkout/claim.ts';
import { isLeftUnconfirmed } from '../../../shared/checkout/confirmation.ts';
import type { FoundPayment, Payment } from '../../../shared/checkout/payment.ts';
import type { PaymentResolver } from '../../../shared/checkout/resolve.ts';
import { isAwaited } from '../../../shared/checkout/settlement.ts';
import type { Clock } from '../../../shared/kit/time.ts';

export interface QueryPaymentNeeds {
  readonly resolver: Pick<PaymentResolver, 'query' | 'applyAnswer'>;
  /** Asked when the gateway has answered: its session may have ended meanwhile. */
  readonly clock: Clock;
}

interface Queried {
  readonly found: FoundPayment;
  /** The gateway gave no usable answer, or has not decided about the money. */
  readonly isUndecided: boolean;
  /**
   * `lost`: the run that was to have it made died, or its call was lost or refused: nothing is confirmed, and the run that releases its claim may
   * make it. `left`: the payer has returned, and the attempts have ended without one. `unclear`: it was tried, and its outcome is not known. `clear`:
   * none was tried, or nothing is left to find out.
   */
  readonly confirmation: 'lost' | 'left' | 'unclear' | 'clear';
}

/**
 * Asks what has become of a payment, and whether a confirmation that was broken off must be made again. `paidBesides`: the transaction of other money
 * than that of the payment, without which the answer decides nothing.
 */
export const queryPayment =
  ({ resolver, clock }: QueryPaymentNeeds) =>
  async (found: FoundPayment, nowMs: number, paidBesides?: string): Promise<Queried> => {
    const { confirmationClaim } = found.payment;
    const answer = await resolver.query(found, paidBesides);
    const mayConfirm = answer.state === 'pending' && !answer.isUndecided && isAwaited({ ...found, nowMs });
    if (confirmationClaim && mayConfirm && isOver(confirmationClaim, nowMs))
      return { found, isUndecided: false, confirmation: 'lost' };
    if (mayConfirm && isLeftUnconfirmed(found.payment, nowMs))
      return { found, isUndecided: false, confirmation: 'left' };
    const current = await resolver.applyAnswer(found, answer, clock());
    return {
      found: current,
      isUndecided: answer.state === 'unknown' || answer.isUndecided === true,
      confirmation: confirmationClaim && isUnclear(current.payment) ? 'unclear' : 'clear',
    };
  };

const isUnclear = ({ status, mark }: Payment): boolean =>
  (status === 'PENDING' && mark !== 'held') || status === 'EXPIRED';
