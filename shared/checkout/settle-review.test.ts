import { describe, expect, it } from 'vitest';
import { openSession, pendingPayment } from '../../test/checkout-fixture.ts';
import { minuteMs } from '../kit/time-units.ts';
import type { GatewayAnswer } from './gateway-answer.ts';
import { type Payment, type ReviewDecision, reportedBy, reviewDecisions } from './payment.ts';
import type { CheckoutSession } from './session.ts';
import { settlementOf } from './settle-payment.ts';
import { settlementOfReview } from './settle-review.ts';

const nowMs = Date.parse('2026-11-20T12:00:00.000Z');
const sessionOf = (wishes: Partial<CheckoutSession>) =>
  openSession('account', { expiresMs: nowMs + minuteMs, ...wishes });
const begun = pendingPayment(sessionOf({}));
const paid: GatewayAnswer = {
  state: 'succeeded',
  amountMinor: begun.amountMinor,
  currency: 'BDT',
  paymentId: begun.id,
  transactionId: 'trx-1',
};
const tooMuch: GatewayAnswer = { ...paid, amountMinor: begun.amountMinor + 1 };
const heldFor = (answer: GatewayAnswer): Payment => ({
  ...begun,
  mark: 'held',
  transactionId: 'trx-1',
  lastAnswer: { state: 'succeeded', reported: reportedBy(answer), at: '2026-11-20T11:00:00.000Z' },
});

interface Wishes {
  readonly session?: Partial<CheckoutSession>;
  readonly payment?: Partial<Payment>;
  readonly reason?: string;
  readonly acceptsLatePayments?: boolean;
  readonly atMs?: number;
}

const factsOf = ({ session, payment, acceptsLatePayments = false, atMs = nowMs }: Wishes) => ({
  session: sessionOf({ livePaymentId: begun.id, paymentCount: 1, ...session }),
  payment: { ...heldFor(tooMuch), ...payment },
  acceptsLatePayments,
  refundId: 'refund',
  nowMs: atMs,
});
const review = (decision: ReviewDecision, wishes: Wishes = {}) =>
  settlementOfReview(factsOf(wishes), { decision, reason: wishes.reason });

const completed = { status: 'COMPLETED', paymentStatus: 'SUCCEEDED', livePaymentId: undefined };
const over = { status: 'EXPIRED', paymentStatus: 'EXPIRED', livePaymentId: undefined } as const;
const graceIsOverMs = nowMs + 31 * minuteMs;
const givenBack = { payment: { status: 'SUCCEEDED', mark: 'surplus', refundableMinor: 0 } };

describe('accept: the right money is there', () => {
  it('completes the session, and lets refunds take what was asked', () => {
    expect(review('accept')).toMatchObject({
      payment: { status: 'SUCCEEDED', mark: undefined, refundableMinor: begun.amountMinor, transactionId: 'trx-1' },
      session: completed,
      refund: undefined,
    });
  });

  it('means nothing when the session has expired, or another payment has completed it: what is there goes back by another word', () => {
    for (const session of [over, { status: 'COMPLETED', livePaymentId: undefined }] as const)
      expect(review('accept', { session })).toBeUndefined();
    expect(review('accept', { atMs: graceIsOverMs })).toBeUndefined();
  });

  it('is late money where the account accepts that', () => {
    for (const wishes of [{ session: over }, { atMs: graceIsOverMs }])
      expect(review('accept', { ...wishes, acceptsLatePayments: true })).toMatchObject({
        payment: { status: 'SUCCEEDED', mark: 'late', refundableMinor: begun.amountMinor },
        session: completed,
        refund: undefined,
      });
  });

  it('completes the open session of a payment that the gateway had reported as expired', () => {
    const wishes = { session: { livePaymentId: undefined }, payment: { status: 'EXPIRED' } } as const;
    for (const acceptsLatePayments of [false, true])
      expect(review('accept', { ...wishes, acceptsLatePayments })).toMatchObject({
        payment: { status: 'SUCCEEDED', mark: undefined, refundableMinor: begun.amountMinor },
        session: completed,
        refund: undefined,
      });
  });

  it('means nothing when the payment was reported as failed', () => {
    const wishes = { session: { livePaymentId: undefined }, payment: { status: 'FAILED' } } as const;
    for (const acceptsLatePayments of [false, true])
      expect(review('accept', { ...wishes, acceptsLatePayments })).toBeUndefined();
  });
});

describe('refund: other money is there, and goes back', () => {
  it('as much as the gateway reported, and the session takes another payment', () => {
    expect(review('refund')).toMatchObject({
      ...givenBack,
      session: { status: 'OPEN', paymentStatus: 'FAILED', livePaymentId: undefined },
      refund: { id: 'refund', amountMinor: begun.amountMinor + 1, currency: 'BDT', isAutomatic: true },
    });
  });

  it.each([
    { state: 'succeeded' },
    { state: 'succeeded', amountMinor: 0 },
    // Gateways refund in the currency that was asked for, whatever they report.
    { state: 'succeeded', amountMinor: 2_050, currency: 'USD' },
  ] as const)('as much as was asked, where it reported no money, or money in another currency: %o', (answer) => {
    const { lastAnswer } = heldFor(answer);
    expect(review('refund', { payment: { lastAnswer } })?.refund).toMatchObject({
      amountMinor: begun.amountMinor,
      currency: 'BDT',
    });
  });

  it('the session expires with it when it was waited for, and stays as it is when it has ended', () => {
    expect(review('refund', { atMs: nowMs + 2 * minuteMs })).toMatchObject({
      ...givenBack,
      session: { status: 'EXPIRED', paymentStatus: 'FAILED' },
    });
    expect(review('refund', { session: over })).toMatchObject({ ...givenBack, session: undefined });
  });
});

describe('reject: no money is there', () => {
  it('the payment has failed, and the session takes another', () => {
    expect(review('reject')).toMatchObject({
      payment: { status: 'FAILED', mark: undefined, refundableMinor: 0 },
      session: { status: 'OPEN', paymentStatus: 'FAILED', livePaymentId: undefined },
      refund: undefined,
    });
  });

  it('what had ended before stays as it ended', () => {
    for (const status of ['FAILED', 'EXPIRED'] as const)
      expect(review('reject', { session: { livePaymentId: undefined }, payment: { status } })).toMatchObject({
        payment: { status, mark: undefined },
        session: undefined,
      });
  });

  it('the same report again is no news; another one is, and the right money goes back', () => {
    const { payment } = review('reject') ?? {};
    const session = { livePaymentId: undefined };
    const hear = (answer: GatewayAnswer) =>
      settlementOf({ ...factsOf({ session, payment: { ...payment } }), answer })?.payment;
    expect(hear(tooMuch)).toBeUndefined();
    expect(hear({ ...tooMuch, amountMinor: 1 })).toMatchObject({ status: 'FAILED', mark: 'held' });
    expect(hear({ ...tooMuch, transactionId: 'trx-2' })).toMatchObject({ status: 'FAILED', mark: 'held' });
    expect(hear(paid)).toMatchObject({ status: 'SUCCEEDED', mark: 'surplus' });
  });
});

describe.each(reviewDecisions)('%s', (decision) => {
  it('stores the result of the review, and the gateway’s report', () => {
    expect(review(decision, { reason: 'Seen in the portal.' })?.payment).toMatchObject({
      review: { decision, reason: 'Seen in the portal.', at: '2026-11-20T12:00:00.000Z' },
      lastAnswer: { reported: { amountMinor: begun.amountMinor + 1 }, at: '2026-11-20T11:00:00.000Z' },
    });
  });

  it('means nothing for a payment that is not held', () => {
    for (const mark of [undefined, 'surplus', 'late', 'cancelled'] as const)
      expect(review(decision, { payment: { mark } })).toBeUndefined();
  });
});
