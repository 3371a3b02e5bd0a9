import { describe, expect, it } from 'vitest';
import type { PaymentJob } from '../../../shared/checkout/jobs.ts';
import { newId } from '../../../shared/kit/id.ts';
import { startLateList, startList } from '../../../test/webhook-calls.ts';
import { watchCheckouts } from './handler.ts';

const nowMs = Date.parse('2026-11-20T12:00:00.000Z');
const session = newId(nowMs);
const payment = newId(nowMs);

const watch = async (...rows: readonly Readonly<Record<string, unknown>>[]) => {
  const [paymentsQueue, latePaymentsQueue] = [startList<PaymentJob>(), startLateList<PaymentJob>()];
  const changes = rows.map((after) => ({
    before: undefined,
    after: { session, ...after },
    sequence: '1',
    atMs: nowMs,
  }));
  await watchCheckouts({ paymentsQueue, latePaymentsQueue, simulatorSeconds: 60 })(changes, nowMs + 100);
  return { now: paymentsQueue.jobs, later: latePaymentsQueue.sent };
};

const newPayment = (wishes: object = {}) => ({
  entity: 'payment',
  payment,
  gatewayCode: 'bkash',
  amountMinor: 600_000,
  ...wishes,
});
const firstCheck = (seconds: number) => ({
  job: { kind: 'resolve', session, payment, check: 0 },
  dueMs: nowMs + seconds * 1_000,
  name: `checkout-check-${payment}-0`,
});

describe('watching checkouts', () => {
  it('has a session looked at when its time is up', async () => {
    const expiresMs = nowMs + 86_400_000;
    expect(await watch({ entity: 'checkout-session', expiresMs })).toEqual({
      now: [],
      later: [{ job: { kind: 'expire', session }, dueMs: expiresMs, name: `checkout-expire-${session}` }],
    });
  });

  it('watch-checkouts queues the opening of a payment at its gateway, and checks for lost callbacks', async () => {
    expect(await watch(newPayment())).toEqual({
      now: [{ kind: 'open', session, payment, attempt: 1 }],
      later: [firstCheck(15)],
    });
  });

  it.each([
    [600_000, 15],
    [1_002, 15],
    [1_004, 4],
  ])('has a simulated payment of %i only asked about, after %i s', async (amountMinor, seconds) => {
    const watched = await watch(newPayment({ gatewayCode: 'sim_card', amountMinor }));
    expect(watched).toEqual({ now: [], later: [firstCheck(seconds)] });
  });

  it('watch-checkouts queues a duplicate notification three times', async () => {
    const { now } = await watch(newPayment({ gatewayCode: 'sim_card', chaos: 'duplicate_notification' }));
    expect(now).toEqual(Array.from({ length: 3 }, () => ({ kind: 'resolve', session, payment })));
  });

  it('has a refund made', async () => {
    const watched = await watch({ entity: 'refund', payment, refund: 'r' });
    expect(watched).toEqual({ now: [{ kind: 'refund', session, refund: 'r' }], later: [] });
  });

  it('watch-checkouts gives every schedule a valid name', async () => {
    const { later } = await watch({ entity: 'checkout-session', expiresMs: nowMs }, newPayment());
    for (const { name } of later) expect(name).toMatch(/^checkout-[0-9a-z-]{1,55}$/);
  });
});
