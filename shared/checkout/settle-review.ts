import { iso } from '../kit/time.ts';
import type { Payment, ReviewDecision } from './payment.ts';
import {
  completesSession,
  type Facts,
  freed,
  isInTime,
  type Settlement,
  succeeded,
  surplus,
  unchanged,
} from './settlement.ts';

/** What a person has found out about a payment that is held, where gateway and merchant keep their books. */
export interface Review {
  readonly decision: ReviewDecision;
  readonly reason: string | undefined;
}

/**
 * What a person's word makes of a payment that is held; undefined when it is not, and when it is to complete a session that it cannot complete.
 * Accepted money is money as if the gateway had reported what was asked. Money that goes back is what the gateway reported. Without money, the
 * payment has failed, unless it had ended before.
 */
export const settlementOfReview = (facts: Facts, { decision, reason }: Review): Settlement | undefined => {
  const { payment, nowMs } = facts;
  if (payment.mark !== 'held') return undefined;
  const review = { decision, ...(reason !== undefined && { reason }), at: iso(nowMs) };
  const reviewed = { ...unchanged(payment), mark: undefined, review };
  switch (decision) {
    case 'accept':
      // Otherwise it would go back: as much as was asked, whatever the gateway has.
      return completesSession(facts) ? succeeded(facts, reviewed) : undefined;
    case 'refund':
      return surplus(facts, reviewed, moneyOf(payment));
    case 'reject':
      return {
        payment: { ...reviewed, status: payment.status === 'PENDING' ? 'FAILED' : payment.status },
        session: freed(facts, isInTime(facts) ? 'FAILED' : 'EXPIRED'),
        refund: undefined,
      };
  }
};

/** What the gateway reported, where that is any money in the payment's currency, in which gateways refund; else what was asked. */
export const moneyOf = ({ amountMinor, currency, lastAnswer }: Payment) => {
  const { reported } = lastAnswer ?? {};
  const isOther = reported?.currency !== undefined && reported.currency !== currency;
  return { amountMinor: (isOther ? undefined : reported?.amountMinor) || amountMinor, currency };
};
