import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { checkoutAddresses } from '../../../shared/checkout/addresses.ts';
import { paymentResolver } from '../../../shared/checkout/resolve.ts';
import { checkoutCalls } from '../../../test/checkout-calls.ts';
import { answeredPayment, begunPayment } from '../../../test/checkout-fixture.ts';
import { merchantCalls } from '../../../test/merchant-calls.ts';
import { startWorld, type World } from '../../../test/world.ts';

let world: World;
let shop: ReturnType<typeof checkoutCalls>;
let server: ReturnType<typeof merchantCalls>;
beforeAll(async () => {
  world = await startWorld();
  shop = checkoutCalls(world);
  server = merchantCalls(world);
});
afterAll(() => world.close());

describe('GET /v1/checkout-sessions/{id}', () => {
  it('200 answers what the creation answered, what was sent, and the payments, oldest first', async () => {
    const { key, methodIds } = await shop.newMerchant();
    const sent = {
      amountMinor: 1_001,
      description: 'Two books',
      customer: { email: 'ada@example.com' },
      metadata: { orderId: '1042' },
      invoiceId: 'INV-1042',
      successUrl: 'https://shop.example/thanks',
    };
    const created = (await shop.create(key, sent)).body.data;
    for (let n = 0; n < 2; n += 1) await shop.pay(created.id, methodIds[0]);
    const { status, body } = await server.getSession(key, created.id);
    const isoTime = expect.stringMatching(/Z$/);
    const payment = {
      id: expect.any(String),
      checkoutSessionId: created.id,
      status: 'FAILED',
      amountMinor: 1_001,
      refundedMinor: 0,
      currency: 'BDT',
      gatewayCode: 'sim_card',
      displayLabel: 'Method 0',
      gatewayTransactionId: null,
      failureCode: 'declined',
      failureReason: 'The simulator declines this amount.',
      createdAt: isoTime,
      settledAt: isoTime,
      metadata: { orderId: '1042' },
      invoiceId: 'INV-1042',
    };
    expect([status, body.data]).toEqual([
      200,
      {
        ...created,
        ...sent,
        cancelUrl: null,
        paymentStatus: 'FAILED',
        createdAt: isoTime,
        payments: [payment, payment],
      },
    ]);
    const ids = body.data.payments.map(({ id }: { id: string }) => id);
    expect(ids).toEqual([...ids].sort());
  });

  it('200 reads EXPIRED when its time is over, and so does the payment that it waited for', async () => {
    const start = Date.now();
    const late = merchantCalls(world, () => start + 25 * 3_600_000);
    const { key, methodIds } = await shop.newMerchant();
    const { id } = (await shop.create(key, { amountMinor: 1_002 })).body.data;
    await shop.pay(id, methodIds[0]);
    const { data } = (await late.getSession(key, id)).body;
    expect([data.status, data.paymentStatus, data.payments[0].status]).toEqual(['EXPIRED', 'EXPIRED', 'EXPIRED']);
    const open = (await server.getSession(key, id)).body.data;
    expect([open.status, open.paymentStatus, open.payments[0].settledAt]).toEqual(['OPEN', 'PENDING', null]);
  });

  it('200 says that a payment expired half an hour after its session, before that is stored and afterwards', async () => {
    const { key, ref } = await shop.newMerchant();
    const found = await begunPayment(world, { ref, key });
    const { id, expiresMs } = found.session;
    const laterMs = expiresMs + 47 * 60_000;
    const late = merchantCalls(world, () => laterMs);
    const settledAt = async () => (await late.getSession(key, id)).body.data.payments[0].settledAt;
    const expired = new Date(expiresMs + 30 * 60_000).toISOString();
    expect(await settledAt()).toBe(expired);
    await paymentResolver({
      ...world,
      findAdapter: async () => undefined,
      addresses: checkoutAddresses('https://pay.example'),
    }).applyAnswer(found, { state: 'unknown' }, laterMs);
    expect((await world.sessions.find(id))?.session.status).toBe('EXPIRED');
    expect(await settledAt()).toBe(expired);
  });

  it('200 names the method of a payment as it was called, also when it is no longer offered', async () => {
    const { key, ref, methodIds } = await shop.newMerchant();
    const account = { ref, key };
    const paid = await answeredPayment(world, account, { state: 'succeeded', transactionId: 'T1' }, {}, methodIds[0]);
    await world.methods.replace(ref, [], paid.payment.id);
    const { data } = (await server.getSession(key, paid.session.id)).body;
    expect(data.eligibleMethods).toEqual([]);
    expect(data.payments).toMatchObject([
      { displayLabel: 'Method 0', status: 'SUCCEEDED', gatewayTransactionId: 'T1', failureCode: null },
    ]);
  });

  it('200 names the method of a payment as the payer saw it, also after it was renamed', async () => {
    const { key, ref, methodIds } = await shop.newMerchant();
    const { id } = (await shop.create(key)).body.data;
    await shop.pay(id, methodIds[0]);
    const renamed = (await world.methods.list(ref)).map((method) => ({ ...method, displayLabel: 'New name' }));
    await world.methods.replace(ref, renamed, id);
    const { data } = (await server.getSession(key, id)).body;
    expect(data.payments).toMatchObject([{ displayLabel: 'Method 0' }]);
  });

  it('404 answers another account’s session, one of the other mode, an unknown and a malformed id alike', async () => {
    const [one, other] = [await shop.newMerchant(), await shop.newMerchant()];
    const { id } = (await shop.create(one.key)).body.data;
    const live = await world.newCheckoutKey(one.ref, { livemode: true });
    for (const [key, wanted] of [
      [other.key, id],
      [live, id],
      [one.key, '01932f6e-8c00-7000-8000-000000000000'],
      [one.key, 'x'],
    ] as const) {
      const { status, body } = await server.getSession(key, wanted);
      expect([status, body.error.code]).toEqual([404, 'session_not_found']);
    }
  });

  it('403 refuses a publishable key', async () => {
    const { ref, key } = await shop.newMerchant();
    const { id } = (await shop.create(key)).body.data;
    const publishable = await world.newCheckoutKey(ref, { kind: 'publishable' });
    const { status, body } = await server.getSession(publishable, id);
    expect([status, body.error.code]).toEqual([403, 'forbidden_scope']);
  });
});
