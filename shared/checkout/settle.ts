import { iso } from '../kit/time.ts';
import type { GatewayAnswer } from './gateway-answer.ts';
import type { Payment, PaymentMark, Refund } from './payment.ts';
import type { CheckoutSession, PaymentStatus } from './session.ts';
import { statusAt } from './session-status.ts';

/** What of a payment and its session changes together, in one transaction or not at all. */
export interface Settlement {
  readonly payment: Pick<Payment, 'status' | 'mark' | 'refundableMinor' | 'reference' | 'transactionId' | 'lastAnswer'>;
  /** Undefined: the session stays as it is. */
  readonly session: Pick<CheckoutSession, 'status' | 'paymentStatus' | 'livePaymentId'> | undefined;
  /** Money that goes back by itself. */
  readonly refund: Refund | undefined;
}

interface Case {
  readonly session: CheckoutSession;
  readonly payment: Payment;
  readonly answer: GatewayAnswer;
  /** The account's setting of this name. */
  readonly acceptsLatePayments: boolean;
  /** What a refund goes by, if there must be one. */
  readonly refundId: string;
  readonly nowMs: number;
}

/**
 * What a gateway's answer makes of a payment; undefined when it changes nothing. Whoever asks, and however often, the same answer leads to
 * the same place: a payment that has succeeded stays so, and money is never lost from sight.
 */
export const settlementOf = (facts: Case): Settlement | undefined => answered(facts) ?? overdue(facts);

/** A payer's wish to give up. Not for a payment whose confirmation has been tried, because it may have succeeded. */
export const cancellationOf = (
  { session, payment }: Pick<Case, 'session' | 'payment'>,
  nowMs: number,
): Settlement | undefined =>
  payment.isConfirmed
    ? undefined
    : answered({
        session,
        payment,
        answer: { state: 'cancelled' },
        acceptsLatePayments: false,
        refundId: '',
        nowMs,
      });

/** Whether the money can complete the session as if nothing had come between; otherwise it depends on what the account accepts. */
export const isInTime = ({ session, payment, nowMs }: Pick<Case, 'session' | 'payment' | 'nowMs'>): boolean =>
  payment.status === 'PENDING' && isLive(session, payment) && statusAt(session, nowMs).status === 'OPEN';

const answered = (facts: Case): Settlement | undefined => {
  const { session, payment, answer, nowMs } = facts;
  if (payment.status === 'SUCCEEDED' || payment.mark === 'held') return undefined;
  switch (answer.state) {
    case 'succeeded':
      return isExact(payment, answer) ? succeeded(facts) : held(facts);
    case 'failed':
    case 'cancelled':
    case 'expired':
      return isInTime({ session, payment, nowMs }) ? ended(facts) : undefined;
    default:
      return undefined;
  }
};

const isLive = ({ status, livePaymentId }: CheckoutSession, { id }: Payment): boolean =>
  status === 'OPEN' && livePaymentId === id;

/** Money counts only where the gateway names amount, currency and payment, and each is ours to the letter. */
const isExact = (payment: Payment, answer: GatewayAnswer): boolean =>
  answer.amountMinor === payment.amountMinor &&
  answer.currency === payment.currency &&
  answer.paymentId === payment.id &&
  (answer.reference ?? payment.reference) === (payment.reference ?? answer.reference) &&
  answer.isRisky !== true;

const succeeded = (facts: Case): Settlement => {
  if (isInTime(facts)) return completed(facts, facts.payment.mark);
  return isAcceptedLate(facts) ? completed(facts, 'late') : surplus(facts);
};

/** A payment that was told to have failed never succeeds: receivers that know its id would pass the success over. */
const isAcceptedLate = ({ session, payment, acceptsLatePayments, nowMs }: Case): boolean => {
  const { status } = statusAt(session, nowMs);
  const isAnotherLive = status === 'OPEN' && session.livePaymentId !== undefined && !isLive(session, payment);
  return acceptsLatePayments && payment.status !== 'FAILED' && status !== 'COMPLETED' && !isAnotherLive;
};

const completed = (facts: Case, mark: PaymentMark | undefined): Settlement => ({
  payment: { ...told(facts), status: 'SUCCEEDED', mark, refundableMinor: facts.payment.amountMinor },
  session: { status: 'COMPLETED', paymentStatus: 'SUCCEEDED', livePaymentId: undefined },
  refund: undefined,
});

const surplus = (facts: Case): Settlement => ({
  payment: { ...told(facts), status: 'SUCCEEDED', mark: 'surplus' },
  session: freed(facts, 'EXPIRED'),
  refund: automaticRefund(facts),
});

const held = (facts: Case): Settlement => ({
  payment: { ...told(facts), mark: 'held' },
  session: undefined,
  refund: undefined,
});

const ended = (facts: Case): Settlement => {
  const { payment, answer } = facts;
  const status = answer.state === 'expired' ? 'EXPIRED' : 'FAILED';
  const mark = answer.state === 'cancelled' ? 'cancelled' : payment.mark;
  return { payment: { ...told(facts), status, mark }, session: freed(facts, status), refund: undefined };
};

/** Nobody has heard of the payment in time: neither it nor its session waits any longer. */
const overdue = (facts: Case): Settlement | undefined => {
  const { session, payment, nowMs } = facts;
  if (payment.status !== 'PENDING' || isInTime({ session, payment, nowMs })) return undefined;
  return { payment: { ...told(facts), status: 'EXPIRED' }, session: freed(facts, 'EXPIRED'), refund: undefined };
};

/** The payment as it was, with what the gateway has just told of it. */
const told = ({ payment, answer, nowMs }: Case): Settlement['payment'] => ({
  status: payment.status,
  mark: payment.mark,
  refundableMinor: payment.refundableMinor,
  reference: payment.reference ?? answer.reference,
  transactionId: answer.transactionId ?? payment.transactionId,
  lastAnswer: {
    state: answer.state,
    ...(answer.code !== undefined && { code: answer.code }),
    ...(answer.reason !== undefined && { reason: answer.reason }),
    at: iso(nowMs),
  },
});

/** The session without its payment under way: open for another one until it expires. */
const freed = (
  { session, payment, answer, nowMs }: Case,
  paymentStatus: PaymentStatus,
): Settlement['session'] | undefined => {
  if (!isLive(session, payment)) return undefined;
  const isOver = nowMs >= session.expiresMs || answer.endsSession === true;
  return { status: isOver ? 'EXPIRED' : 'OPEN', paymentStatus, livePaymentId: undefined };
};

const automaticRefund = ({ payment, refundId, nowMs }: Case): Refund => ({
  id: refundId,
  paymentId: payment.id,
  sessionId: payment.sessionId,
  accountId: payment.accountId,
  amountMinor: payment.amountMinor,
  currency: payment.currency,
  status: 'PENDING',
  reason: undefined,
  isAutomatic: true,
  reference: undefined,
  failureReason: undefined,
  createdMs: nowMs,
});
