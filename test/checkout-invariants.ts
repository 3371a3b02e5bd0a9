import { expect } from 'vitest';
import type { Payment } from '../shared/checkout/payment.ts';
import type { Refund } from '../shared/checkout/refund.ts';
import type { CheckoutSession } from '../shared/checkout/session.ts';
import type { StatusView } from '../shared/checkout/session-status.ts';

/** A session with its payments and refunds, at one moment. */
export interface Moment {
  readonly session: CheckoutSession;
  /** The status that every reader gets. */
  readonly view: StatusView;
  readonly payments: readonly Payment[];
  readonly refunds: readonly Refund[];
}

/** The gateway's answers so far, by payment id. */
export interface GatewayReports {
  readonly paid: ReadonlySet<string>;
  readonly tampered: ReadonlySet<string>;
}

const sum = (amounts: readonly { readonly amountMinor: number }[]): number =>
  amounts.reduce((total, { amountMinor }) => total + amountMinor, 0);

const succeededIn = ({ payments }: Moment) => payments.filter(({ status }) => status === 'SUCCEEDED');
const completingIn = (moment: Moment) => succeededIn(moment).filter(({ mark }) => mark !== 'surplus');

export const completesOnce = (now: Moment): void => {
  const isCompleted = now.view.status === 'COMPLETED';
  expect(completingIn(now)).toHaveLength(isCompleted ? 1 : 0);
  expect(now.view.paymentStatus === 'SUCCEEDED').toBe(isCompleted);
};

/** The money that arrived: the amount of the payment, unless a review found another one. */
const arrived = ({ amountMinor, review, lastAnswer }: Payment) => ({
  amountMinor: review?.decision === 'refund' ? (lastAnswer?.reported?.amountMinor ?? 0) : amountMinor,
});

/** Arrived money equals the money that completed the session plus automatic refunds. */
export const addsUp = (now: Moment): void => {
  expect(now.refunds.every(({ isAutomatic }) => isAutomatic)).toBe(true);
  expect(sum(succeededIn(now).map(arrived)) - sum(now.refunds)).toBe(sum(completingIn(now)));
  const completing = completingIn(now);
  for (const payment of now.payments)
    expect(payment.refundableMinor).toBe(completing.includes(payment) ? payment.amountMinor : 0);
};

/** Money that the gateway reported is recorded, or held for review. A wrong amount counts only after a review accepts it. */
export const believesOnlyExactMoney = ({ payments }: Moment, { paid, tampered }: GatewayReports): void => {
  for (const { id, status, mark, review } of payments) {
    if (paid.has(id) && !tampered.has(id)) expect(status).toBe('SUCCEEDED');
    if (tampered.has(id) && !paid.has(id) && !review) expect([status === 'SUCCEEDED', mark]).toEqual([false, 'held']);
    if (review?.decision === 'accept' || review?.decision === 'refund') expect(status).toBe('SUCCEEDED');
    if (review?.decision === 'reject' && !paid.has(id)) expect(status).not.toBe('SUCCEEDED');
    if (mark === 'held') expect(status).not.toBe('SUCCEEDED');
  }
};

const ranks = { PENDING: 0, FAILED: 1, EXPIRED: 1, SUCCEEDED: 2 } as const;

/** A payment that was reported as failed never succeeds later. */
export const paymentsNeverGoBack = (before: Moment, now: Moment): void => {
  for (const { id, status, mark } of now.payments) {
    const was = before.payments.find((payment) => payment.id === id);
    if (!was || was.status === status) continue;
    expect(ranks[status]).toBeGreaterThan(ranks[was.status]);
    if (was.status === 'FAILED') expect(mark).toBe('surplus');
  }
};

/** COMPLETED is final. EXPIRED is too, unless the account accepts late payments. */
export const sessionsNeverGoBack = (before: Moment, now: Moment, acceptsLatePayments: boolean): void => {
  if (before.view.status === 'OPEN') return;
  const isLate = acceptsLatePayments && before.view.status === 'EXPIRED' && now.view.status === 'COMPLETED';
  if (isLate) expect(completingIn(now).map(({ mark }) => mark)).toEqual(['late']);
  else expect(now.view).toEqual(before.view);
};

/** At most one payment runs at a time, at most ten in all, and none after the session has ended. */
export const waitsForOne = ({ session: { status, livePaymentId, paymentCount: begun }, payments }: Moment): void => {
  expect(begun).toBe(payments.length);
  expect(begun).toBeLessThanOrEqual(10);
  const pending = payments.filter((payment) => payment.status === 'PENDING').map(({ id }) => id);
  if (status === 'OPEN') expect(pending).toEqual(livePaymentId === undefined ? [] : [livePaymentId]);
  else expect(livePaymentId).toBeUndefined();
};

/** No payment begins once the session is over. A session can be ended in the millisecond in which its payment begins. */
export const beginsInTime = ({ session, payments }: Moment): void => {
  for (const { createdMs } of payments) expect(createdMs).toBeLessThanOrEqual(session.expiresMs);
};
