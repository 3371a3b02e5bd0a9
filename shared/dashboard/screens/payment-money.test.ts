import { describe, expect, it } from 'vitest';
import type { Refund } from '../../client/checkout.ts';
import { keptOf, leftOf } from './payment-money.ts';

const refund = (amountMinor: number, more: Partial<Refund> = {}): Refund => ({
  id: 'refund',
  paymentId: 'payment',
  amountMinor,
  currency: 'BDT',
  status: 'SUCCEEDED',
  reason: null,
  isAutomatic: false,
  failureReason: null,
  createdAt: '2026-11-20T12:00:00.000Z',
  ...more,
});
const asked = { amountMinor: 600_000 };
const paid = { id: 'payment', ...asked };

describe('what of a payment can be refunded', () => {
  it('is what no refund has taken or is taking', () => {
    const refunds = [refund(100_000), refund(50_000, { status: 'PENDING' }), refund(450_000, { status: 'FAILED' })];
    expect(leftOf(asked, refunds)).toBe(450_000);
    expect(leftOf(asked, [])).toBe(600_000);
  });

  it.each([500_000, 600_001])('is nothing once a review has sent back all that was taken: %i', (taken) => {
    expect(leftOf(asked, [refund(taken, { isAutomatic: true })])).toBe(0);
  });

  it.each([500_000, 600_001])('is what was taken where that could not be sent back: %i', (taken) => {
    const failed = refund(taken, { isAutomatic: true, status: 'FAILED' });
    expect(leftOf(asked, [failed])).toBe(taken);
    expect(leftOf(asked, [failed, refund(1_000)])).toBe(taken - 1_000);
  });
});

describe('what a merchant keeps of a payment', () => {
  it('is what was not refunded', () => {
    expect(keptOf({ ...paid, refundedMinor: 150_000, failureCode: null }, [])).toBe(450_000);
  });

  it.each([500_000, 600_000, 600_001])('is nothing of surplus money that goes back: %i', (refundedMinor) => {
    const ofAnother = refund(1_001, { paymentId: 'another', isAutomatic: true, status: 'FAILED' });
    expect(keptOf({ ...paid, refundedMinor, failureCode: 'surplus' }, [ofAnother])).toBe(0);
  });

  it.each([1_001, 600_000, 600_001])(
    'is what is left of surplus money that could not be sent back, whatever was asked for: of %i',
    (taken) => {
      const failed = [refund(300, { status: 'FAILED' }), refund(taken, { isAutomatic: true, status: 'FAILED' })];
      expect(keptOf({ ...paid, refundedMinor: 0, failureCode: 'surplus' }, failed)).toBe(taken);
      expect(keptOf({ ...paid, refundedMinor: 600, failureCode: 'surplus' }, failed)).toBe(taken - 600);
    },
  );
});
