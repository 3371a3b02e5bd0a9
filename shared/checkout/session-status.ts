import { Fault } from '../kit/fault.ts';
import type { CheckoutSession, PaymentStatus, SessionStatus } from './session.ts';

/** How long after its `expiresAt` a session waits for the payment that is under way then. */
export const longestHoldMs = 30 * 60_000;

export const maxPayments = 10;

export interface StatusView {
  readonly status: SessionStatus;
  readonly paymentStatus: PaymentStatus;
}

/** When a session expires. */
export const endsMs = ({ expiresMs, livePaymentId }: Pick<CheckoutSession, 'expiresMs' | 'livePaymentId'>): number =>
  livePaymentId === undefined ? expiresMs : expiresMs + longestHoldMs;

type Kept = Pick<CheckoutSession, 'status' | 'paymentStatus' | 'expiresMs' | 'livePaymentId'>;

/** The current status of a session, whether its expiry is stored or not. */
export const statusAt = (session: Kept, nowMs: number): StatusView => {
  const { status, paymentStatus, livePaymentId } = session;
  const hasExpired = status === 'EXPIRED' || (status === 'OPEN' && nowMs >= endsMs(session));
  if (!hasExpired) return { status, paymentStatus };
  const isUnpaid = livePaymentId !== undefined || paymentStatus === 'PENDING';
  return { status: 'EXPIRED', paymentStatus: isUnpaid ? 'EXPIRED' : paymentStatus };
};

/** Refuses what only an open session takes, and says why it is not, or no longer takes payments. */
export const notOpen = (session: Kept & Pick<CheckoutSession, 'paymentCount'>, nowMs: number): Fault =>
  new Fault('session_not_open', whyNotOpen(session, nowMs));

const whyNotOpen = (session: Kept & Pick<CheckoutSession, 'paymentCount'>, nowMs: number): string => {
  const { status } = statusAt(session, nowMs);
  if (status === 'COMPLETED') return 'This session is completed.';
  if (status === 'OPEN' && session.paymentCount >= maxPayments)
    return `This session has had its maximum of ${maxPayments} payments.`;
  return status === 'OPEN' && session.livePaymentId !== undefined
    ? 'The time of this session is over. It only waits for the payment that is in progress.'
    : 'This session has expired.';
};

/** Whether another payment may be begun, apart from one that may be under way. */
export const acceptsPayments = (session: Kept & Pick<CheckoutSession, 'paymentCount'>, nowMs: number): boolean =>
  session.status === 'OPEN' && nowMs < session.expiresMs && session.paymentCount < maxPayments;
