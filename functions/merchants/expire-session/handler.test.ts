import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type CheckoutCalls, checkoutCalls, type Merchant } from '../../../test/checkout-calls.ts';
import { merchantCalls } from '../../../test/merchant-calls.ts';
import { paidAnswer } from '../../../test/scripted-gateway.ts';
import { startWorld, type World } from '../../../test/world.ts';

let world: World;
let shop: CheckoutCalls;
let server: ReturnType<typeof merchantCalls>;
let merchant: Merchant;
beforeAll(async () => {
  world = await startWorld();
  shop = checkoutCalls(world);
  server = merchantCalls(world);
  merchant = await shop.newMerchant();
});
afterAll(() => world.close());

const newSession = async (amountMinor = 600_000): Promise<string> =>
  (await shop.create(merchant.key, { amountMinor })).body.data.id;
const pay = async (id: string) => (await shop.pay(id, merchant.methodIds[0])).body;
const expire = (id: string) => server.expire(merchant.key, id);
const find = async (session: string, payment: string) => {
  const found = await world.payments.find(session, payment);
  if (!found) throw new Error('the payment is gone');
  return found;
};

describe('POST /v1/checkout-sessions/{id}/expire', () => {
  it('200 expires an open session, which then accepts no payment', async () => {
    const id = await newSession();
    const { status, body } = await expire(id);
    expect([status, body.data]).toMatchObject([200, { id, status: 'EXPIRED', paymentStatus: 'EXPIRED', payments: [] }]);
    expect(Date.parse(body.data.expiresAt)).toBeLessThanOrEqual(Date.now());
    expect((await pay(id)).error.code).toBe('session_not_open');
  });

  it('200 cancels the payment in progress, and refunds money that arrives for it', async () => {
    const id = await newSession(1_002);
    const { paymentId } = (await pay(id)).data;
    const { body } = await expire(id);
    expect(body.data).toMatchObject({
      status: 'EXPIRED',
      paymentStatus: 'FAILED',
      payments: [{ id: paymentId, status: 'FAILED', failureCode: 'cancelled' }],
    });
    const late = await find(id, paymentId);
    await shop.resolver.applyAnswer(late, paidAnswer(late.payment), Date.now());
    const { data } = (await server.getPayment(merchant.key, paymentId)).body;
    expect([data.status, data.failureCode, data.refundedMinor]).toEqual(['SUCCEEDED', 'surplus', 1_002]);
    expect((await server.getSession(merchant.key, id)).body.data.status).toBe('EXPIRED');
    expect((await world.refunds.list(late)).map(({ isAutomatic }) => isAutomatic)).toEqual([true]);
  });

  it('409 a session whose payment has succeeded without a callback is completed', async () => {
    const id = await newSession(1_003);
    expect((await pay(id)).data.status).toBe('PENDING');
    expect((await expire(id)).body.error.code).toBe('session_not_open');
    expect((await server.getSession(merchant.key, id)).body.data).toMatchObject({
      status: 'COMPLETED',
      payments: [{ status: 'SUCCEEDED', failureCode: null }],
    });
  });

  it('200 waits for a payment that may have succeeded: the session stays OPEN, accepts no other one, and is completed', async () => {
    const id = await newSession(1_002);
    const { paymentId } = (await pay(id)).data;
    await world.payments.claimConfirmation((await find(id, paymentId)).payment, Date.now());
    for (let n = 0; n < 2; n += 1) {
      const { status, body } = await expire(id);
      expect([status, body.data.status, body.data.paymentStatus]).toEqual([200, 'OPEN', 'PENDING']);
    }
    expect((await pay(id)).error.code).toBe('session_not_open');
    const found = await find(id, paymentId);
    await shop.resolver.applyAnswer(found, paidAnswer(found.payment), Date.now());
    expect((await server.getSession(merchant.key, id)).body.data.status).toBe('COMPLETED');
    expect((await expire(id)).body.error.code).toBe('session_not_open');
  });

  it('409 refuses a session that is completed or expired', async () => {
    const [paid, expired] = [await newSession(), await newSession()];
    await pay(paid);
    await expire(expired);
    for (const [id, why] of [
      [paid, 'is completed'],
      [expired, 'has expired'],
    ] as const) {
      const { status, body } = await expire(id);
      expect([status, body.error.code, body.error.message]).toEqual([409, 'session_not_open', `This session ${why}.`]);
    }
  });

  it('200 or 409 ends a session once, also when requests and a payer race', async () => {
    for (let n = 0; n < 5; n += 1) {
      const id = await newSession();
      const [paid, ...answers] = await Promise.all([pay(id), expire(id), expire(id)]);
      const { data } = (await server.getSession(merchant.key, id)).body;
      // A payment that was cancelled before its money came is refunded, and completes nothing.
      const isPaid = paid.data?.status === 'SUCCEEDED' && data.payments[0].failureCode !== 'surplus';
      expect([isPaid, data.status]).toEqual([isPaid, isPaid ? 'COMPLETED' : 'EXPIRED']);
      for (const { status, body } of answers)
        expect([200, 409]).toContain(status === 200 ? 200 : status && body.error && 409);
    }
  });

  it('404 answers the session of another account, and of the other mode', async () => {
    const id = await newSession();
    const live = await world.newCheckoutKey(merchant.ref, { livemode: true });
    for (const key of [(await shop.newMerchant()).key, live])
      expect((await server.expire(key, id)).body.error.code).toBe('session_not_found');
    expect((await server.getSession(merchant.key, id)).body.data.status).toBe('OPEN');
  });
});
