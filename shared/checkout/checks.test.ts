import { describe, expect, it } from 'vitest';
import { isWorthAsking, nextCheck, nextLaterCheckMs, nextRefundCheck } from './checks.ts';

const createdMs = Date.parse('2026-11-20T12:00:00.000Z');
const payment = { gatewayCode: 'bkash', amountMinor: 600_000, chaos: undefined, createdMs, reportedPaidMs: undefined };

/** All checks of a payment that come on time, in seconds after it began. */
const checksOf = (wishes: Partial<Parameters<typeof nextCheck>[0]>) => {
  const seconds: number[] = [];
  let after: number | undefined;
  for (let nowMs = createdMs; ; ) {
    const next = nextCheck({ ...payment, ...wishes }, { after, nowMs, simulatorSeconds: 60 });
    if (!next) return seconds;
    seconds.push((next.dueMs - createdMs) / 1_000);
    after = next.number;
    nowMs = next.dueMs;
  }
};
const usual = [15, 45, 120, 300, 900];

describe('lost callbacks: asked again', () => {
  it('after 15 s, 45 s, 2 min, 5 min, 15 min', () => {
    expect(checksOf({})).toEqual(usual);
    expect(checksOf({ gatewayCode: 'sim_card', amountMinor: 1_003 })).toEqual(usual);
  });

  it('and at the time of a simulated outcome without a notification', () => {
    expect(checksOf({ gatewayCode: 'sim_card', amountMinor: 1_004 })).toEqual([4, ...usual]);
    expect(checksOf({ gatewayCode: 'sim_card', chaos: 'late_success' })).toEqual([4, ...usual]);
    expect(checksOf({ gatewayCode: 'sim_card', amountMinor: 1_002 })).toEqual([15, 45, 60, ...usual.slice(2)]);
    expect(checksOf({ gatewayCode: 'bkash', amountMinor: 1_004 })).toEqual(usual);
  });

  it('anew from when the gateway reported it paid', () => {
    const reportedPaidMs = createdMs + 1_200_000;
    expect(checksOf({ reportedPaidMs })).toEqual(usual.map((seconds) => 1_200 + seconds));
  });

  it('skips past checks, and does not go back when a clock does', () => {
    const next = (after: number | undefined, afterMs: number) =>
      nextCheck(payment, { after, nowMs: createdMs + afterMs, simulatorSeconds: 60 })?.number;
    expect([next(undefined, 100_000), next(0, 14_000), next(0, 4_000_000), next(4, 0)]).toEqual([
      2,
      1,
      undefined,
      undefined,
    ]);
  });

  it.each(['payment', 'refund'] as const)(
    'of a %s later after 1 h, 6 h, 24 h, 72 h, and of a refund for a month',
    (entity) => {
      const hours: number[] = [];
      for (let nowMs = createdMs; ; ) {
        const next = nextLaterCheckMs(entity, createdMs, nowMs);
        if (next === undefined) break;
        hours.push((next - createdMs) / 3_600_000);
        nowMs = next;
      }
      expect(hours).toEqual([1, 6, 24, 72, ...(entity === 'refund' ? [168, 336, 720] : [])]);
    },
  );

  it('in the same seconds of a refund, but for the last check: by then one that is not listed has not been made', () => {
    expect(nextRefundCheck(createdMs, { after: 0, nowMs: createdMs })).toEqual({
      number: 1,
      dueMs: createdMs + 45_000,
    });
    expect(nextRefundCheck(createdMs, { after: 3, nowMs: createdMs })?.dueMs).toBe(createdMs + 960_000);
    expect(nextRefundCheck(createdMs, { after: 4, nowMs: createdMs })).toBeUndefined();
  });
});

describe('asking is worth it', () => {
  const worth = (wishes: Partial<Parameters<typeof isWorthAsking>[0]>) =>
    isWorthAsking({ status: 'PENDING', mark: undefined, gatewayCode: 'bkash', chaos: undefined, ...wishes });

  it('while a payment is pending, and at real gateways also after it failed, because money may be found', () => {
    expect([worth({}), worth({ status: 'FAILED' }), worth({ status: 'EXPIRED' })]).toEqual([true, true, true]);
    expect(worth({ gatewayCode: 'sim_card', status: 'EXPIRED', chaos: 'late_success' })).toBe(true);
  });

  it('not after it succeeded, is held for review, or failed at the simulator', () => {
    expect([worth({ status: 'SUCCEEDED' }), worth({ mark: 'held' })]).toEqual([false, false]);
    expect(worth({ gatewayCode: 'sim_card', status: 'FAILED' })).toBe(false);
  });
});
