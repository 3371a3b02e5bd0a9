import { expect, it } from 'vitest';
import { openSession, pendingPayment } from '../../test/checkout-fixture.ts';
import { iso } from '../kit/time.ts';
import { minuteMs } from '../kit/time-units.ts';
import type { Payment } from './payment.ts';
import { settledMs } from './payment-view.ts';

const session = openSession('account', { expiresMs: Date.parse('2026-11-20T12:30:00.000Z') });
const writtenMs = session.expiresMs + 47 * minuteMs;
const expired: Payment = {
  ...pendingPayment(session),
  createdMs: session.expiresMs - minuteMs,
  status: 'EXPIRED',
  lastAnswer: { state: 'unknown', at: iso(writtenMs) },
};

it('a payment expired half an hour after its session, whenever that was written', () => {
  expect(settledMs({ session, payment: expired })).toBe(session.expiresMs + 30 * minuteMs);
});

it('one that expired, and was held and rejected since, was settled by its review', () => {
  const atMs = writtenMs + 60 * minuteMs;
  const review: Payment['review'] = { decision: 'reject', reason: 'another amount', at: iso(atMs) };
  expect(settledMs({ session, payment: { ...expired, review } })).toBe(atMs);
});
