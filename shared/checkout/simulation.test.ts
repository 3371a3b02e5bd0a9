import { describe, expect, it } from 'vitest';
import { callsBack, isSimulated, simulatedAnswer, simulatedRefund } from './simulation.ts';

const createdMs = Date.parse('2026-11-20T12:00:00.000Z');
const order = { paymentId: 'p', amountMinor: 600_000, currency: 'BDT', createdMs, chaos: undefined };
const answerAfter = (seconds: number, wishes: Partial<Parameters<typeof simulatedAnswer>[0]>) =>
  simulatedAnswer({ ...order, ...wishes }, 60, createdMs + seconds * 1_000);

describe('the simulator: the exact amount decides', () => {
  it('1001 FAILED at once', () => {
    expect(answerAfter(0, { amountMinor: 1_001 }).state).toBe('failed');
  });

  it('1002 PENDING for SIM_TIMEOUT_SECONDS, then payment and session EXPIRED', () => {
    expect(answerAfter(59.999, { amountMinor: 1_002 })).toEqual({ state: 'pending' });
    expect(answerAfter(60, { amountMinor: 1_002 })).toEqual({ state: 'expired', endsSession: true });
  });

  it('1003 no callback, SUCCEEDED at a query', () => {
    expect(callsBack({ amountMinor: 1_003 })).toBe(false);
    expect(answerAfter(0, { amountMinor: 1_003 }).state).toBe('succeeded');
  });

  it('1004 SUCCEEDED after 4 s', () => {
    expect(answerAfter(3.999, { amountMinor: 1_004 }).state).toBe('pending');
    expect(answerAfter(4, { amountMinor: 1_004 })).toMatchObject({ state: 'succeeded', amountMinor: 1_004 });
  });

  it.each([1, 1_000, 1_005, 10_010, 999_999_999_999])('%i SUCCEEDED at once, to the unit', (amountMinor) => {
    expect(callsBack({ amountMinor })).toBe(true);
    expect(answerAfter(0, { amountMinor })).toMatchObject({
      state: 'succeeded',
      amountMinor,
      currency: 'BDT',
      paymentId: 'p',
    });
  });
});

describe('an operator’s troubles', () => {
  it('tampered_amount: a success of another amount, where there would be one', () => {
    expect(answerAfter(0, { chaos: 'tampered_amount' })).toMatchObject({ state: 'succeeded', amountMinor: 600_001 });
    expect(answerAfter(0, { chaos: 'tampered_amount', amountMinor: 1_001 }).state).toBe('failed');
  });

  it('late_success: expired at first, succeeds four seconds later', () => {
    expect(answerAfter(3.999, { chaos: 'late_success' })).toEqual({ state: 'expired', endsSession: true });
    expect(answerAfter(4, { chaos: 'late_success' })).toMatchObject({ state: 'succeeded', amountMinor: 600_000 });
  });

  it('duplicate_notification changes no answer', () => {
    expect(answerAfter(0, { chaos: 'duplicate_notification' })).toEqual(answerAfter(0, {}));
  });
});

it('refunds succeed, but for one of exactly 1001', () => {
  expect(simulatedRefund({ refundId: 'r', amountMinor: 1_000 })).toMatchObject({
    state: 'succeeded',
    amountMinor: 1_000,
  });
  expect(simulatedRefund({ refundId: 'r', amountMinor: 1_001 }).state).toBe('failed');
});

it.each([
  ['sim_card', true],
  ['sim_wallet', true],
  ['sim_bank', true],
  ['bkash', false],
  ['sslcommerz', false],
  ['sim_', false],
  ['constructor', false],
])('%s is simulated: %s', (gatewayCode, expected) => {
  expect(isSimulated({ gatewayCode })).toBe(expected);
});
