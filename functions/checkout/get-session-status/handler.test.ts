import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { newId } from '../../../shared/kit/id.ts';
import { type CheckoutCalls, checkoutCalls } from '../../../test/checkout-calls.ts';
import { countConsumption } from '../../../test/consumption.ts';
import { startWorld, type World } from '../../../test/world.ts';

const startMs = Date.parse('2026-11-20T12:00:00.000Z');

let world: World;
let calls: CheckoutCalls;
let nowMs = startMs;
beforeAll(async () => {
  world = await startWorld();
  calls = checkoutCalls(world, () => nowMs);
});
afterAll(() => world.close());

const sessionOf = async (amountMinor: number, livemode = false) => {
  const method = livemode ? { gatewayCode: 'bkash' as const, livemode, credentials: bkash } : {};
  const { ref, methodIds } = await calls.newMerchant({ methods: [method] });
  const { id } = (await calls.create(await world.newCheckoutKey(ref, { livemode }), { amountMinor })).body.data;
  return { id: String(id), pay: () => calls.pay(id, methodIds[0]), poll: async () => (await calls.poll(id)).body.data };
};
const bkash = { username: 'u', password: 'p', appKey: 'k', appSecret: 's' };

describe('GET /v1/public/checkout-sessions/{id}/status', () => {
  it('200 shows exactly two fields: PENDING before any attempt', async () => {
    const { id } = await sessionOf(600_000);
    const { status, body } = await calls.poll(id);
    expect([status, body]).toEqual([200, { data: { status: 'OPEN', paymentStatus: 'PENDING' } }]);
  });

  it.each([
    [600_000, 'COMPLETED', 'SUCCEEDED'],
    [1_001, 'OPEN', 'FAILED'],
  ])('200 after an amount of %i: %s, %s', async (amountMinor, status, paymentStatus) => {
    const { pay, poll } = await sessionOf(amountMinor);
    await pay();
    expect(await poll()).toEqual({ status, paymentStatus });
  });

  it('200 amount 1003: the lost callback is found by the first poll', async () => {
    const { pay, poll } = await sessionOf(1_003);
    expect((await pay()).body.data.status).toBe('PENDING');
    expect(await poll()).toEqual({ status: 'COMPLETED', paymentStatus: 'SUCCEEDED' });
  });

  it('200 amount 1004: PENDING for four seconds, then SUCCEEDED', async () => {
    const { pay, poll } = await sessionOf(1_004);
    await pay();
    nowMs += 3_999;
    expect(await poll()).toEqual({ status: 'OPEN', paymentStatus: 'PENDING' });
    nowMs += 1;
    expect(await poll()).toEqual({ status: 'COMPLETED', paymentStatus: 'SUCCEEDED' });
  });

  it('200 amount 1002: PENDING, then payment and session EXPIRED finally', async () => {
    const { pay, poll } = await sessionOf(1_002);
    await pay();
    nowMs += 59_999;
    expect(await poll()).toEqual({ status: 'OPEN', paymentStatus: 'PENDING' });
    nowMs += 1;
    expect(await poll()).toEqual({ status: 'EXPIRED', paymentStatus: 'EXPIRED' });
    expect((await pay()).body.error.code).toBe('session_not_open');
  });

  it('200 a new payment after a failed one makes it PENDING again', async () => {
    const { id, pay, poll } = await sessionOf(600_000, true);
    const { paymentId } = (await pay()).body.data;
    const found = await world.payments.find(id, paymentId);
    if (found) await calls.resolver.applyAnswer(found, { state: 'failed' }, nowMs);
    expect(await poll()).toEqual({ status: 'OPEN', paymentStatus: 'FAILED' });
    expect((await pay()).status).toBe(201);
    expect(await poll()).toEqual({ status: 'OPEN', paymentStatus: 'PENDING' });
  });

  it('200 has a real gateway asked by a worker, once in five seconds, and waits for nothing', async () => {
    const { id, pay, poll } = await sessionOf(600_000, true);
    const { paymentId } = (await pay()).body.data;
    const before = calls.paymentsQueue.jobs.length;
    const pollAt = async (seconds: number) => {
      nowMs = startMs + seconds * 1_000;
      return poll();
    };
    for (const seconds of [200, 200, 204.999, 205, 206, 210]) {
      expect(await pollAt(seconds)).toEqual({ status: 'OPEN', paymentStatus: 'PENDING' });
    }
    const found = (await world.payments.find(id, paymentId)) ?? expect.fail();
    const job = { kind: 'resolve', account: found.account.id, session: id, payment: paymentId, isPoll: true };
    expect(calls.paymentsQueue.jobs.slice(before)).toEqual([job, job, job]);
  });

  it('costs one read once nothing is under way', async () => {
    const { pay, poll } = await sessionOf(600_000);
    await pay();
    expect(await countConsumption(world.calls).of(poll)).toEqual({ calls: 1, units: 1 });
  });

  it('404 answers an unknown and a malformed id alike', async () => {
    const answers = [await calls.poll(newId(nowMs)), await calls.poll('x'), await calls.poll('')];
    for (const { status, body } of answers) expect([status, body]).toEqual([404, answers[0]?.body]);
    expect(answers[0]?.body.error.code).toBe('session_not_found');
  });
});
