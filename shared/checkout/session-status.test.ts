import { describe, expect, it } from 'vitest';
import { openSession } from '../../test/checkout-fixture.ts';
import { minuteMs } from '../kit/time-units.ts';
import { acceptsPayments, endsMs, statusAt } from './session-status.ts';

const expiresMs = Date.parse('2026-11-20T12:00:00.000Z');
const session = openSession('account', { expiresMs });
const waiting = { ...session, livePaymentId: 'payment', paymentCount: 1 };

describe('session lifetime: evaluated on every read', () => {
  it('reads OPEN until the very millisecond, and EXPIRED from then on, regardless of what has been written', () => {
    expect(statusAt(session, expiresMs - 1)).toEqual({ status: 'OPEN', paymentStatus: 'PENDING' });
    expect(statusAt(session, expiresMs)).toEqual({ status: 'EXPIRED', paymentStatus: 'EXPIRED' });
  });

  it('reads the payment EXPIRED too where none was tried, also when its end has been written down', () => {
    const written = { ...session, status: 'EXPIRED' as const };
    expect(statusAt(written, expiresMs).paymentStatus).toBe('EXPIRED');
  });

  it.each(['COMPLETED', 'EXPIRED'] as const)('never leaves %s', (status) => {
    for (const nowMs of [0, expiresMs, expiresMs * 2])
      expect(statusAt({ ...session, status }, nowMs).status).toBe(status);
  });

  it('keeps the status of the last payment when none is under way', () => {
    const view = statusAt({ ...session, paymentStatus: 'FAILED' }, expiresMs);
    expect(view).toEqual({ status: 'EXPIRED', paymentStatus: 'FAILED' });
  });
});

describe('an attempt under way at expiresAt', () => {
  it('is waited for 30 min at most; then both are EXPIRED', () => {
    const endMs = expiresMs + 30 * minuteMs;
    expect(endsMs(waiting)).toBe(endMs);
    expect(statusAt(waiting, endMs - 1)).toEqual({ status: 'OPEN', paymentStatus: 'PENDING' });
    expect(statusAt(waiting, endMs)).toEqual({ status: 'EXPIRED', paymentStatus: 'EXPIRED' });
  });

  it('lets no other payment begin in that time', () => {
    expect(acceptsPayments(waiting, expiresMs - 1)).toBe(true);
    expect(acceptsPayments(waiting, expiresMs)).toBe(false);
  });
});

it('at most 10 attempts', () => {
  expect(acceptsPayments({ ...session, paymentCount: 9 }, expiresMs - 1)).toBe(true);
  expect(acceptsPayments({ ...session, paymentCount: 10 }, expiresMs - 1)).toBe(false);
});
