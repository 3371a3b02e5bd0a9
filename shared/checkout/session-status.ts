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

/** Whether another payment may be begun, apart from one that may be under way. */
export const acceptsPayments = (session: Kept & Pick<CheckoutSession, 'paymentCount'>, nowMs: number): boolean =>
  session.status === 'OPEN' && nowMs < session.expiresMs && session.paymentCount < maxPayments;
