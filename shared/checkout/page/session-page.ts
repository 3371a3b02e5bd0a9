import type { Language } from '../../kit/language.ts';
import type { Branding } from '../branding.ts';
import { mayFindMoney } from '../checks.ts';
import { type AcceptanceMethod, type EligibleMethod, eligibleMethods, labelOf } from '../methods.ts';
import type { Payment } from '../payment.ts';
import { paymentFailures } from '../payment-failures.ts';
import type { CheckoutSession } from '../session.ts';
import { acceptsPayments, maxPayments, statusAt } from '../session-status.ts';
import { mayHaveSucceeded } from '../settle-payment.ts';
import { isSimulated } from '../simulation.ts';
import { choicePage, deadEndPage, isProblem, type Setback, type SetbackKind } from './choice.ts';
import { expiredPage, paidPage, type Receipt } from './ending.ts';
import { heldPage, underWayPage } from './progress.ts';
import { reasonFor } from './reasons.ts';
import { pagePaths, saleOf } from './sale.ts';

/** All that the pages of a session are made from. */
export interface Scene {
  readonly session: CheckoutSession;
  /** All that have been begun, the first one first. */
  readonly attempts: readonly Payment[];
  /** All methods of the account. */
  readonly methods: readonly AcceptanceMethod[];
  /** Those of them that payers may use now, if the amount fits. */
  readonly offered: readonly AcceptanceMethod[];
  /** The account's name. */
  readonly merchant: string;
  readonly branding: Branding;
  readonly nowMs: number;
}

/** The screen of a session's own page, by status. `problem`: of the form that led here. */
export const sessionPage = (language: Language, scene: Scene, problem?: string): string => {
  const { session, attempts, methods, offered, nowMs } = scene;
  const sale = saleOf(session, scene);
  const { status } = statusAt(session, nowMs);
  if (status === 'COMPLETED') return paidPage(language, sale, receiptOf(language, scene), 'again');
  const shown = (attempt: Payment) => ({
    path: pagePaths.waitingScreen(attempt),
    method: labelOf(methods, attempt, language),
  });
  const held = attempts.find(isUnderReview);
  if (held) return heldPage(language, sale, shown(held));
  if (status === 'EXPIRED') return expiredPage(language, sale, attempts.map(setbackKindOf));

  const current = attemptUnderWay(scene) ?? attempts.find(isBegunSince);
  const eligible = eligibleMethods(offered, session);
  if (current) {
    const isLast = eligible.length === 0 || !acceptsPayments(session, nowMs);
    const mayCancel = current.status === 'PENDING' && !mayHaveSucceeded(current, nowMs);
    return underWayPage(language, sale, { ...shown(current), isLast, mayCancel });
  }
  if (session.paymentCount >= maxPayments) return deadEndPage(language, sale, 'exhausted', attempts.map(setbackKindOf));
  if (eligible.length === 0) {
    const isFrozen = offered.length < methods.length;
    return deadEndPage(language, sale, 'noMethod', attempts.map(setbackKindOf), isFrozen);
  }
  const last = attempts.at(-1);
  const setback = last && setbackOf(last, labelOf(methods, last, language));
  return choicePage(language, sale, {
    methods: eligible.map(({ acceptanceMethodId, gatewayCode }) => ({
      acceptanceMethodId,
      gatewayCode,
      label: labelOf(methods, { acceptanceMethodId, gatewayCode }, language),
    })),
    begun: session.paymentCount,
    setback,
    earlier: attempts.map(setbackKindOf),
    problem: problem !== undefined && isProblem(problem) ? problem : undefined,
  });
};

/** Whether a payment's outcome depends on a person: also when its session has expired meanwhile. */
export const isUnderReview = ({ status, mark }: Payment): boolean => status === 'PENDING' && mark === 'held';

/** A link that is followed twice within this time was tapped twice. */
const doubleTapMs = 10_000;

/** The method to begin without a choice: the only one, before any attempt. */
export const straightMethod = (scene: Scene): EligibleMethod | undefined => {
  const { session, offered, nowMs } = scene;
  const [method, ...others] = eligibleMethods(offered, session);
  if (others.length > 0 || statusAt(session, nowMs).status !== 'OPEN') return undefined;
  const underWay = attemptUnderWay(scene);
  const isSecondTap = session.paymentCount === 1 && underWay && nowMs - underWay.createdMs < doubleTapMs;
  return session.paymentCount === 0 || isSecondTap ? method : undefined;
};

const attemptUnderWay = ({ session, attempts }: Scene): Payment | undefined =>
  attempts.find(({ id }) => id === session.livePaymentId);

/** In a session that is open and knows of no attempt under way: one that was begun, and perhaps paid, after the session was read. */
const isBegunSince = ({ status, mark }: Payment): boolean =>
  status === 'PENDING' || (status === 'SUCCEEDED' && mark !== 'surplus');

/** Of the payment that completed the session. */
export const receiptOf = (language: Language, { attempts, methods }: Scene): Receipt | undefined => {
  const paid = attempts.find(({ status, mark }) => status === 'SUCCEEDED' && mark !== 'surplus');
  return (
    paid && {
      method: labelOf(methods, paid, language),
      reference: paid.id,
      transactionId: paid.transactionId,
      paidMs: paid.lastAnswer ? Date.parse(paid.lastAnswer.at) : paid.createdMs,
      hasSurplus: attempts.some(({ mark }) => mark === 'surplus'),
    }
  );
};

const setbackOf = (payment: Payment, method: string): Setback => {
  const kind = setbackKindOf(payment);
  switch (kind) {
    case 'declined':
    case 'declinedForNow':
      return { kind, reason: reasonFor(payment) };
    case 'unavailable':
      return { kind, method };
    default:
      return { kind };
  }
};

const setbackKindOf = (payment: Payment): SetbackKind => {
  const { status, mark, lastAnswer, redirectUrl, review } = payment;
  if (mark === 'surplus') return 'givenBack';
  // One that is PENDING has expired with its session; that is written later. One that has SUCCEEDED was accepted late, after the session was read.
  if (status !== 'FAILED') return 'timedOut';
  // Money that is held for one that had ended goes back in the end, or was never there.
  if (mark === 'cancelled' || mark === 'held') return 'cancelled';
  // Its gateway had reported money, so a bank or wallet knows no reason.
  if (review?.decision === 'reject') return 'rejected';
  // Its gateway refused to open it: the payer has not been there, so nothing of theirs was declined.
  const wasNeverOpened = redirectUrl === undefined && !isSimulated(payment);
  if (wasNeverOpened || lastAnswer?.code === paymentFailures.unavailable.code) return 'unavailable';
  return mayFindMoney(payment) ? 'declinedForNow' : 'declined';
};
