import { describe, expect, it } from 'vitest';
import type { PaymentJob } from '../../../shared/checkout/jobs.ts';
import { newId } from '../../../shared/kit/id.ts';
import { startList } from '../../../test/webhook-calls.ts';
import { watchCheckouts } from './handler.ts';

const nowMs = Date.parse('2026-11-20T12:00:00.000Z');
const session = newId(nowMs);
const payment = newId(nowMs);

const watch = async (...rows: readonly Readonly<Record<string, unknown>>[]) => {
  const { jobs, delays, send } = startList<PaymentJob>();
  const changes = rows.map((after) => ({
    before: undefined,
    after: { session, ...after },
    sequence: '1',
    atMs: nowMs,
  }));
  await watchCheckouts({ paymentsQueue: { send }, simulatorSeconds: 60 })(changes, nowMs);
  return jobs.map((job, n) => ({ job, seconds: delays[n] }));
};

const newPayment = (wishes: object = {}) => ({
  entity: 'payment',
  payment,
  gatewayCode: 'bkash',
  amountMinor: 600_000,
  ...wishes,
});
const firstCheck = (seconds: number) => ({ job: { kind: 'resolve', session, payment, check: 0 }, seconds });
const now = (job: object) => ({ job, seconds: 0 });

describe('watching checkouts', () => {
  it('watch-checkouts queues the opening of a payment at its gateway, and a check for a lost callback', async () => {
    const opening = now({ kind: 'open', session, payment, attempt: 1 });
    expect(await watch(newPayment())).toEqual([opening, firstCheck(15)]);
  });

  it.each([
    [600_000, 15],
    [1_002, 15],
    [1_004, 4],
  ])('has a simulated payment of %i only asked about, after %i s', async (amountMinor, seconds) => {
    expect(await watch(newPayment({ gatewayCode: 'sim_card', amountMinor }))).toEqual([firstCheck(seconds)]);
  });

  it('watch-checkouts queues a duplicate notification three times', async () => {
    const jobs = await watch(newPayment({ gatewayCode: 'sim_card', chaos: 'duplicate_notification' }));
    const notification = now({ kind: 'resolve', session, payment });
    expect(jobs).toEqual([notification, notification, notification, firstCheck(15)]);
  });

  it('has a refund made', async () => {
    const watched = await watch({ entity: 'refund', payment, refund: 'r' });
    expect(watched).toEqual([now({ kind: 'refund', session, refund: 'r' })]);
  });
});
