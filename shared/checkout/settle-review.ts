import { iso } from '../kit/time.ts';
import type { Payment, ReviewDecision } from './payment.ts';
import {
  completesSession,
  type Facts,
  freed,
  isAwaited,
  type Settlement,
  succeeded,
  surplus,
  unchanged,
} from './settlement.ts';

/** What a person has found out about a payment that is held, where gateway and merchant keep their books. */
export interface Review {
  readonly decision: ReviewDecision;
  readonly reason: string | undefined;
  /** What the gateway has, of money that goes back; undefined: what it reported. */
  readonly amountMinor?: number | undefined;
}

/**
 * What a person's word makes of a payment that is held; undefined when it is not, and when it is to complete a session that it cannot complete.
 * Accepted money is money as if the gateway had reported what was asked. Money that goes back is what the person has found or the gateway reported.
 * Without money, the payment has failed, unless it had ended before.
 */
export const settlementOfReview = (facts: Facts, { decision, reason, amountMinor }: Review): Settlement | undefined => {
  const { payment, nowMs } = facts;
  if (payment.mark !== 'held') return undefined;
  const review = {
    decision,
    ...(reason !== undefined && { reason }),
    ...(amountMinor !== undefined && { amountMinor }),
    at: iso(nowMs),
  };
  const reviewed = { ...unchanged(payment), mark: undefined, review };
  switch (decision) {
    case 'accept':
      // Without a session to complete, `succeeded` would refund the amount that was asked for, and the gateway may have another.
      return completesSession(facts) ? succeeded(facts, reviewed) : undefined;
    case 'refund':
      return surplus(facts, reviewed, amountToReturn({ ...payment, review }));
    case 'reject':
      return {
        payment: { ...reviewed, status: payment.status === 'PENDING' ? 'FAILED' : payment.status },
        session: freed(facts, isAwaited(facts) ? 'FAILED' : 'EXPIRED'),
        refund: undefined,
      };
  }
};

/**
 * The money of a payment that goes back: what its review found or, without that, what the gateway reported, where that is any money in the payment's
 * currency, in which gateways refund; else what was asked.
 */
export const amountToReturn = ({ amountMinor, currency, lastAnswer, review }: Payment): number => {
  const { reported } = lastAnswer ?? {};
  const isOther = reported?.currency !== undefined && reported.currency !== currency;
  return (review?.amountMinor ?? (isOther ? undefined : reported?.amountMinor)) || amountMinor;
};

/** The most that a review can send back: the gateway has what was asked, or what it reported. */
export const mostToReturn = (payment: Payment): number => Math.max(payment.amountMinor, amountToReturn(payment));
