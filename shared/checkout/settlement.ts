import type { Payment } from './payment.ts';
import { newRefund, type Refund } from './refund.ts';
import type { CheckoutSession, PaymentStatus } from './session.ts';
import { statusAt } from './session-status.ts';

/** The changes of a payment and its session, in one transaction. */
export interface Settlement {
  readonly payment: Pick<
    Payment,
    'status' | 'mark' | 'refundableMinor' | 'reference' | 'transactionId' | 'lastAnswer' | 'review'
  >;
  /** Undefined: the session stays as it is. */
  readonly session: Pick<CheckoutSession, 'status' | 'paymentStatus' | 'livePaymentId'> | undefined;
  /** An automatic refund. */
  readonly refund: Refund | undefined;
}

/** A payment and its session at a time. */
export interface PaymentFacts {
  readonly session: CheckoutSession;
  readonly payment: Payment;
  readonly nowMs: number;
}

/** The inputs of a settlement, from any source. */
export interface Facts extends PaymentFacts {
  /** The account's setting of this name. */
  readonly acceptsLatePayments: boolean;
  /** The id of a refund, if one is necessary. */
  readonly refundId: string;
}

/** Whether the session still waits for this payment. */
export const isAwaited = ({ session, payment, nowMs }: PaymentFacts): boolean =>
  payment.status === 'PENDING' && isLive(session, payment) && statusAt(session, nowMs).status === 'OPEN';

/**
 * Whether the session was read as it was before the payment began. Both begin in one transaction, which a read of the two does not wait for; and only
 * an open session can begin a payment. Stored, there is no such pair.
 */
export const isOfOlderSession = ({ session, payment }: Pick<PaymentFacts, 'session' | 'payment'>): boolean =>
  payment.status === 'PENDING' && payment.mark !== 'held' && session.status === 'OPEN' && !isLive(session, payment);

/** Whether money for a payment would complete its session now. */
export const completesSession = (facts: Facts): boolean => mayComplete(facts) && !isAnotherLive(facts);

/** Whether nothing but another payment under way keeps the money from completing its session. */
export const waitsForAnother = (facts: Facts): boolean => mayComplete(facts) && isAnotherLive(facts);

/** Money for a payment has arrived: it completes the session when it can, and goes back otherwise. `latest`: the payment with what has just been learnt of it. */
export const succeeded = (facts: Facts, latest: Settlement['payment']): Settlement =>
  completesSession(facts) ? completed(facts, latest) : surplus(facts, latest, facts.payment.amountMinor);

/** Money goes back that completes nothing: this much of it. */
export const surplus = (facts: Facts, latest: Settlement['payment'], amountMinor: number): Settlement => ({
  payment: { ...latest, status: 'SUCCEEDED', mark: 'surplus' },
  session: freed(facts, isAwaited(facts) ? 'FAILED' : 'EXPIRED'),
  refund: automaticRefund(facts, amountMinor),
});

/** The session without its payment under way: open for another one until it expires. Undefined: it does not wait for this payment. */
export const freed = (
  { session, payment, nowMs }: PaymentFacts,
  paymentStatus: PaymentStatus,
  endsSession = false,
): Settlement['session'] => {
  if (!isLive(session, payment)) return undefined;
  const isOver = nowMs >= session.expiresMs || endsSession;
  return { status: isOver ? 'EXPIRED' : 'OPEN', paymentStatus, livePaymentId: undefined };
};

/** The payment as it was. */
export const unchanged = ({
  status,
  mark,
  refundableMinor,
  reference,
  transactionId,
  lastAnswer,
  review,
}: Payment): Settlement['payment'] => ({
  status,
  mark,
  refundableMinor,
  reference,
  transactionId,
  lastAnswer,
  review,
});

/** Whether the session waits for this payment. */
const isLive = ({ status, livePaymentId }: CheckoutSession, { id }: Payment): boolean =>
  status === 'OPEN' && livePaymentId === id;

/**
 * A payment that was reported as failed never completes its session: receivers would ignore the success of a known id. One that has expired
 * was not reported.
 */
const mayComplete = ({ session, payment, acceptsLatePayments, nowMs }: Facts): boolean => {
  const takesMoney = { OPEN: true, COMPLETED: false, EXPIRED: acceptsLatePayments };
  return payment.status !== 'FAILED' && takesMoney[statusAt(session, nowMs).status];
};

const isAnotherLive = ({ session, payment, nowMs }: Facts): boolean =>
  statusAt(session, nowMs).status === 'OPEN' && session.livePaymentId !== undefined && !isLive(session, payment);

const completed = ({ session, payment, nowMs }: Facts, latest: Settlement['payment']): Settlement => ({
  payment: {
    ...latest,
    status: 'SUCCEEDED',
    mark: statusAt(session, nowMs).status === 'EXPIRED' ? 'late' : undefined,
    refundableMinor: payment.amountMinor,
  },
  session: { status: 'COMPLETED', paymentStatus: 'SUCCEEDED', livePaymentId: undefined },
  refund: undefined,
});

const automaticRefund = ({ payment, refundId: id, nowMs }: Facts, amountMinor: number): Refund => ({
  ...newRefund(payment, { id, amountMinor, reason: undefined, nowMs }),
  isAutomatic: true,
});
