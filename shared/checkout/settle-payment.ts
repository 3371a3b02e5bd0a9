import { iso } from '../kit/time.ts';
import type { GatewayAnswer } from './gateway-answer.ts';
import { type Payment, paidDigest, reportedBy } from './payment.ts';
import {
  type Facts,
  freed,
  isAwaited,
  isOfOlderSession,
  type PaymentFacts,
  type Settlement,
  succeeded,
  unchanged,
} from './settlement.ts';

/** What decides how a payment ends without money. */
interface EndFacts extends PaymentFacts {
  readonly answer: GatewayAnswer;
}

type AnsweredFacts = Facts & EndFacts;

/**
 * A payment after a gateway's answer; undefined when nothing changes. In any order and repetition, the same answer leads to
 * the same place: a payment that has succeeded stays so, and money is never lost from sight.
 */
export const settlementOf = (facts: AnsweredFacts): Settlement | undefined => answered(facts) ?? overdue(facts);

/** For so long a payer waits for the proof of what the gateway has notified us of. Where it does not answer, they may choose again then. */
const proofMs = 60_000;

const isJustReportedPaid = ({ reportedPaidMs = 0 }: Pick<Payment, 'reportedPaidMs'>, nowMs: number): boolean =>
  nowMs < reportedPaidMs + proofMs;

/** Whether the gateway has notified us of this transaction, and of that or another one just now: so it is being asked about. */
export const isJustReportedPaidWith = (
  payment: Pick<Payment, 'id' | 'reportedPaidMs' | 'reportedPaid'>,
  transactionId: string,
  nowMs: number,
): boolean => isJustReportedPaid(payment, nowMs) && payment.reportedPaid.has(paidDigest(payment, transactionId));

/** A payment may have succeeded whose confirmation has been tried, or which its gateway has just reported paid. */
export const mayHaveSucceeded = (
  payment: Pick<Payment, 'confirmationClaim' | 'reportedPaidMs'>,
  nowMs: number,
): boolean => payment.confirmationClaim !== undefined || isJustReportedPaid(payment, nowMs);

/** A payer's wish to give up. Not for a payment that may have succeeded. */
export const settlementOfCancellation = (
  { session, payment }: Pick<PaymentFacts, 'session' | 'payment'>,
  nowMs: number,
): Settlement | undefined =>
  mayHaveSucceeded(payment, nowMs) || payment.mark === 'held'
    ? undefined
    : ended({ session, payment, answer: { state: 'cancelled' }, nowMs });

const answered = (facts: AnsweredFacts): Settlement | undefined => {
  const { payment, answer, nowMs } = facts;
  if (payment.status === 'SUCCEEDED' || payment.mark === 'held') return undefined;
  switch (answer.state) {
    case 'succeeded':
      if (isExact(payment, answer)) return succeeded(facts, withAnswer(facts));
      return isReviewed(payment, answer) ? undefined : heldForReview(facts);
    case 'failed':
    case 'cancelled':
    case 'expired':
      // The gateway may list an earlier try already, and not yet the one that it has reported.
      return isJustReportedPaid(payment, nowMs) ? undefined : ended(facts);
    default:
      return undefined;
  }
};

/** Money counts only where the gateway names amount, currency and payment, and each is ours to the letter. */
const isExact = (payment: Payment, answer: GatewayAnswer): boolean =>
  answer.amountMinor === payment.amountMinor &&
  answer.currency === payment.currency &&
  answer.paymentId === payment.id &&
  (answer.reference ?? payment.reference) === (payment.reference ?? answer.reference) &&
  answer.isRisky !== true;

/** A review has decided on the same report already. */
const isReviewed = ({ review, lastAnswer }: Payment, answer: GatewayAnswer): boolean => {
  const before = new Map<string, unknown>(Object.entries(lastAnswer?.reported ?? {}));
  return review !== undefined && Object.entries(reportedBy(answer)).every(([name, said]) => before.get(name) === said);
};

const heldForReview = (facts: AnsweredFacts): Settlement => ({
  payment: {
    ...withAnswer(facts),
    mark: 'held',
    lastAnswer: { ...summaryOf(facts), reported: reportedBy(facts.answer) },
  },
  session: isAwaited(facts) ? undefined : freed(facts, 'EXPIRED'),
  refund: undefined,
});

const ended = (facts: EndFacts): Settlement | undefined => {
  const { payment, answer } = facts;
  if (!isAwaited(facts)) return undefined;
  const status = answer.state === 'expired' ? 'EXPIRED' : 'FAILED';
  const mark = answer.state === 'cancelled' ? 'cancelled' : payment.mark;
  const session = freed(facts, status, answer.endsSession);
  return { payment: { ...withAnswer(facts), status, mark }, session, refund: undefined };
};

/**
 * The payment got no final answer in time, so it and its session end. A held payment waits for its review,
 * but its session does not.
 */
const overdue = (facts: AnsweredFacts): Settlement | undefined => {
  const { session, payment, nowMs } = facts;
  if (payment.status !== 'PENDING' || isAwaited({ session, payment, nowMs })) return undefined;
  if (isOfOlderSession(facts)) return undefined;
  const freedSession = freed(facts, 'EXPIRED');
  if (payment.mark !== 'held')
    return { payment: { ...withAnswer(facts), status: 'EXPIRED' }, session: freedSession, refund: undefined };
  return freedSession && { payment: unchanged(payment), session: freedSession, refund: undefined };
};

/** The unchanged payment with the gateway's latest answer. */
const withAnswer = (facts: EndFacts): Settlement['payment'] => {
  const { payment, answer } = facts;
  return {
    ...unchanged(payment),
    reference: payment.reference ?? answer.reference,
    transactionId: answer.transactionId ?? payment.transactionId,
    lastAnswer: summaryOf(facts),
  };
};

const summaryOf = ({ answer: { state, code, reason }, nowMs }: EndFacts) => ({
  state,
  ...(code !== undefined && { code }),
  ...(reason !== undefined && { reason }),
  at: iso(nowMs),
});
