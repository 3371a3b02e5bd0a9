import { describe, expect, it } from 'vitest';
import { openSession, pendingPayment } from '../../test/checkout-fixture.ts';
import { minuteMs } from '../kit/time-units.ts';
import type { GatewayAnswer } from './gateway-answer.ts';
import { type Payment, reportedBy } from './payment.ts';
import type { CheckoutSession } from './session.ts';
import { settlementOf, settlementOfCancellation } from './settle-payment.ts';

// Each rule of the decisions on hosted checkout, by its name there.

const nowMs = Date.parse('2026-11-20T12:00:00.000Z');
const sessionOf = (wishes: Partial<CheckoutSession>) =>
  openSession('account', { expiresMs: nowMs + minuteMs, ...wishes });
const begun = pendingPayment(sessionOf({}));
const waiting = { livePaymentId: begun.id, paymentCount: 1 };
const paid: GatewayAnswer = {
  state: 'succeeded',
  amountMinor: begun.amountMinor,
  currency: 'BDT',
  paymentId: begun.id,
  transactionId: 'trx-1',
};

interface Wishes {
  readonly session?: Partial<CheckoutSession>;
  readonly payment?: Partial<Payment>;
  readonly acceptsLatePayments?: boolean;
  readonly atMs?: number;
}

const settle = (answer: GatewayAnswer, { session, payment, acceptsLatePayments = false, atMs = nowMs }: Wishes = {}) =>
  settlementOf({
    session: sessionOf({ ...waiting, ...session }),
    payment: { ...begun, ...payment },
    answer,
    acceptsLatePayments,
    refundId: 'refund',
    nowMs: atMs,
  });

const completed = { status: 'COMPLETED', paymentStatus: 'SUCCEEDED', livePaymentId: undefined };
const graceIsOverMs = nowMs + 31 * minuteMs;

describe('one payment at a time: the first SUCCEEDED completes the session', () => {
  it('moves payment and session together, and lets refunds take the whole amount', () => {
    expect(settle(paid)).toMatchObject({
      payment: { status: 'SUCCEEDED', mark: undefined, refundableMinor: begun.amountMinor, transactionId: 'trx-1' },
      session: completed,
      refund: undefined,
    });
  });

  it('also in the 30 minutes that the session waits for it', () => {
    expect(settle(paid, { atMs: nowMs + 30 * minuteMs })).toMatchObject({ session: completed, refund: undefined });
  });

  it('money that arrives for another attempt afterwards is recorded and refunded automatically', () => {
    for (const payment of [{ status: 'FAILED' }, { status: 'EXPIRED' }] as const) {
      expect(settle(paid, { session: { status: 'COMPLETED', livePaymentId: undefined }, payment })).toMatchObject({
        payment: { status: 'SUCCEEDED', mark: 'surplus', refundableMinor: 0 },
        session: undefined,
        refund: {
          id: 'refund',
          paymentId: begun.id,
          amountMinor: begun.amountMinor,
          status: 'PENDING',
          isAutomatic: true,
        },
      });
    }
  });

  it('so is money for a payment that was reported as failed, while its session is open or another payment is pending', () => {
    for (const livePaymentId of [undefined, 'another']) {
      for (const acceptsLatePayments of [false, true]) {
        const settled = settle(paid, {
          session: { livePaymentId },
          payment: { status: 'FAILED' },
          acceptsLatePayments,
        });
        expect(settled).toMatchObject({
          payment: { mark: 'surplus' },
          session: undefined,
          refund: { isAutomatic: true },
        });
      }
    }
  });
});

describe('after a failed payment', () => {
  it.each([
    ['failed', 'FAILED', undefined],
    ['cancelled', 'FAILED', 'cancelled'],
    ['expired', 'EXPIRED', undefined],
  ] as const)('%s: session stays OPEN, paymentStatus %s', (state, status, mark) => {
    expect(settle({ state })).toMatchObject({
      payment: { status, mark },
      session: { status: 'OPEN', paymentStatus: status, livePaymentId: undefined },
    });
  });

  it('the session expires with it when it was waited for, from expiresAt on', () => {
    const statusAt = (atMs: number) => settle({ state: 'failed' }, { atMs })?.session?.status;
    expect(statusAt(nowMs + minuteMs - 1)).toBe('OPEN');
    expect(settle({ state: 'failed' }, { atMs: nowMs + minuteMs })).toMatchObject({
      payment: { status: 'FAILED' },
      session: { status: 'EXPIRED', paymentStatus: 'FAILED' },
    });
  });

  it('not yet while the gateway has just reported it paid: it may list an earlier try only', () => {
    for (const state of ['failed', 'cancelled', 'expired'] as const) {
      expect(settle({ state }, { payment: { reportedPaidMs: nowMs - minuteMs + 1 } })).toBeUndefined();
      expect(settle({ state }, { payment: { reportedPaidMs: nowMs - minuteMs } })).toMatchObject({
        session: { status: 'OPEN', livePaymentId: undefined },
      });
    }
    expect(settle(paid, { payment: { reportedPaidMs: nowMs } })).toMatchObject({ session: completed });
    expect(
      settle({ state: 'failed' }, { payment: { reportedPaidMs: graceIsOverMs }, atMs: graceIsOverMs }),
    ).toMatchObject({ payment: { status: 'EXPIRED' } });
  });

  it('keeps the gateway’s words for the operator', () => {
    expect(settle({ state: 'failed', code: '2023', reason: 'Insufficient Balance' })?.payment.lastAnswer).toEqual({
      state: 'failed',
      code: '2023',
      reason: 'Insufficient Balance',
      at: '2026-11-20T12:00:00.000Z',
    });
  });
});

describe('simulator 1002: payment and session EXPIRED', () => {
  it('ends the payment and its session', () => {
    expect(settle({ state: 'expired', endsSession: true })).toMatchObject({
      payment: { status: 'EXPIRED' },
      session: { status: 'EXPIRED', paymentStatus: 'EXPIRED' },
    });
  });
});

describe('an attempt under way at expiresAt: 30 min at most, then both are EXPIRED', () => {
  it.each(['pending', 'unknown', 'failed', 'cancelled', 'expired'] as const)(
    'regardless of what is heard then: %s',
    (state) => {
      expect(settle({ state }, { atMs: graceIsOverMs })).toMatchObject({
        payment: { status: 'EXPIRED' },
        session: { status: 'EXPIRED', paymentStatus: 'EXPIRED', livePaymentId: undefined },
        refund: undefined,
      });
    },
  );

  it('one that its session does not wait for any more expires alone', () => {
    for (const status of ['COMPLETED', 'EXPIRED'] as const) {
      expect(settle({ state: 'pending' }, { session: { status, livePaymentId: undefined } })).toMatchObject({
        payment: { status: 'EXPIRED' },
        session: undefined,
      });
    }
  });

  it('one that has just begun does not expire by a session that was read from before that', () => {
    for (const livePaymentId of [undefined, 'another'])
      for (const state of ['pending', 'unknown', 'failed'] as const)
        for (const atMs of [nowMs, graceIsOverMs])
          expect(settle({ state }, { session: { livePaymentId, paymentCount: 0 }, atMs })).toBeUndefined();
  });
});

describe('success after that', () => {
  const late = { status: 'EXPIRED', paymentStatus: 'EXPIRED', livePaymentId: undefined } as const;

  it('the money is real: recorded and refunded automatically', () => {
    expect(settle(paid, { session: late, payment: { status: 'EXPIRED' } })).toMatchObject({
      payment: { status: 'SUCCEEDED', mark: 'surplus', refundableMinor: 0 },
      session: undefined,
      refund: { isAutomatic: true, amountMinor: begun.amountMinor },
    });
  });

  it('also before the expiry of the session is stored', () => {
    expect(settle(paid, { atMs: graceIsOverMs })).toMatchObject({
      payment: { mark: 'surplus' },
      session: { status: 'EXPIRED', paymentStatus: 'EXPIRED', livePaymentId: undefined },
      refund: { isAutomatic: true },
    });
  });

  it('an account may choose to accept it: EXPIRED → COMPLETED, the only way out of EXPIRED', () => {
    const wishes = { payment: { status: 'EXPIRED' }, acceptsLatePayments: true } as const;
    const accepted = {
      payment: { status: 'SUCCEEDED', mark: 'late', refundableMinor: begun.amountMinor },
      session: completed,
      refund: undefined,
    };
    expect(settle(paid, { ...wishes, session: late })).toMatchObject(accepted);
    expect(settle(paid, { acceptsLatePayments: true, atMs: graceIsOverMs })).toMatchObject(accepted);
  });
});

describe('success of a payment that the gateway had reported as expired, while its session is open', () => {
  const openAgain = { livePaymentId: undefined, paymentStatus: 'EXPIRED' } as const;

  it('is the first SUCCEEDED: it completes the session, whatever the account accepts, and is not late', () => {
    for (const acceptsLatePayments of [false, true])
      expect(settle(paid, { session: openAgain, payment: { status: 'EXPIRED' }, acceptsLatePayments })).toMatchObject({
        payment: { status: 'SUCCEEDED', mark: undefined, refundableMinor: begun.amountMinor },
        session: completed,
        refund: undefined,
      });
  });

  it('not while another payment is under way', () => {
    for (const acceptsLatePayments of [false, true])
      expect(
        settle(paid, { session: { livePaymentId: 'another' }, payment: { status: 'EXPIRED' }, acceptsLatePayments }),
      ).toMatchObject({ payment: { mark: 'surplus' }, session: undefined, refund: { isAutomatic: true } });
  });
});

describe('amounts: what the gateway reports must equal amount, currency and reference exactly, else never SUCCEEDED', () => {
  it.each<[string, GatewayAnswer, Partial<Payment>?]>([
    ['one unit more', { ...paid, amountMinor: begun.amountMinor + 1 }],
    ['one unit less', { ...paid, amountMinor: begun.amountMinor - 1 }],
    ['no amount', { ...paid, amountMinor: undefined } as unknown as GatewayAnswer],
    ['another currency', { ...paid, currency: 'USD' }],
    ['the currency in small letters', { ...paid, currency: 'bdt' }],
    ['no currency', { ...paid, currency: undefined } as unknown as GatewayAnswer],
    ['another payment', { ...paid, paymentId: 'another' }],
    ['no payment', { ...paid, paymentId: undefined } as unknown as GatewayAnswer],
    ['another reference', { ...paid, reference: 'b' }, { reference: 'a' }],
    ['a risk', { ...paid, isRisky: true }],
  ])('%s: held for review, PENDING outside', (_, answer, payment = {}) => {
    expect(settle(answer, { payment })).toMatchObject({
      payment: { status: 'PENDING', mark: 'held', refundableMinor: 0 },
      session: undefined,
      refund: undefined,
    });
  });

  it('the gateway’s words for the money are kept for the person who reviews it', () => {
    expect(settle({ ...paid, currency: 'USD', isRisky: true })?.payment.lastAnswer).toEqual({
      state: 'succeeded',
      reported: { ...reportedBy(paid), currency: 'USD', isRisky: true },
      at: '2026-11-20T12:00:00.000Z',
    });
  });

  it('what is held stays so, regardless of what is heard later', () => {
    for (const answer of [paid, { state: 'failed' }, { state: 'expired' }] as const)
      expect(settle(answer, { payment: { mark: 'held' } })).toBeUndefined();
  });

  it('news of it that comes too late ends its session', () => {
    expect(settle({ ...paid, amountMinor: 1 }, { atMs: graceIsOverMs })).toMatchObject({
      payment: { status: 'PENDING', mark: 'held' },
      session: { status: 'EXPIRED', paymentStatus: 'EXPIRED', livePaymentId: undefined },
    });
  });

  it('its session expires at its time; the payment waits on, with what it is held for', () => {
    const lastAnswer = { state: 'succeeded', reported: reportedBy({ ...paid, amountMinor: 1 }), at: 'then' };
    const payment = { mark: 'held', lastAnswer } as const;
    for (const answer of [paid, { state: 'unknown' }, { state: 'failed' }] as const) {
      expect(settle(answer, { payment, atMs: graceIsOverMs })).toMatchObject({
        payment: { status: 'PENDING', mark: 'held', lastAnswer },
        session: { status: 'EXPIRED', paymentStatus: 'EXPIRED', livePaymentId: undefined },
        refund: undefined,
      });
      const session = { status: 'EXPIRED', livePaymentId: undefined } as const;
      expect(settle(answer, { payment, session, atMs: graceIsOverMs })).toBeUndefined();
    }
  });
});

describe('one way to settle: nothing changes when nothing changed', () => {
  it.each(['pending', 'unknown'] as const)('%s', (state) => {
    expect(settle({ state })).toBeUndefined();
  });

  it('SUCCEEDED is never left: not by a repetition, and not by a failure', () => {
    for (const answer of [paid, { ...paid, amountMinor: 1 }, { state: 'failed' }, { state: 'expired' }] as const) {
      for (const mark of [undefined, 'surplus', 'late'] as const)
        expect(
          settle(answer, { session: { status: 'COMPLETED' }, payment: { status: 'SUCCEEDED', mark } }),
        ).toBeUndefined();
    }
  });

  it.each(['FAILED', 'EXPIRED'] as const)('%s is left by money alone', (status) => {
    for (const state of ['pending', 'unknown', 'failed', 'cancelled', 'expired'] as const)
      expect(settle({ state }, { session: { livePaymentId: undefined }, payment: { status } })).toBeUndefined();
  });
});

describe('a payer who cancels', () => {
  const cancel = (payment: Partial<Payment> = {}) =>
    settlementOfCancellation({ session: sessionOf(waiting), payment: { ...begun, ...payment } }, nowMs);

  it('ends the payment, and the session is open for another', () => {
    expect(cancel()).toMatchObject({
      payment: { status: 'FAILED', mark: 'cancelled' },
      session: { status: 'OPEN', paymentStatus: 'FAILED', livePaymentId: undefined },
    });
  });

  it.each<Partial<Payment>>([
    { confirmationClaim: { token: 't', untilMs: 0 } },
    { reportedPaidMs: nowMs - minuteMs + 1 },
    { mark: 'held' },
    { status: 'SUCCEEDED' },
    { status: 'FAILED' },
  ])('cannot cancel what may have succeeded, or has ended: %o', (payment) => {
    expect(cancel(payment)).toBeUndefined();
  });

  it('ends a payment that the gateway reported paid a minute ago and has not answered about since', () => {
    expect(cancel({ reportedPaidMs: nowMs - minuteMs })).toMatchObject({ payment: { status: 'FAILED' } });
  });
});
