import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { receivePaymentNotification } from '../../functions/callbacks/receive-payment-notification/handler.ts';
import { type RealCheckout, startRealCheckout } from '../../test/real-checkout.ts';
import { paidAnswer } from '../../test/scripted-gateway.ts';
import { startWorld, type World } from '../../test/world.ts';
import { expireNow } from './expire-now.ts';
import type { FoundPayment } from './payment.ts';
import { paymentResolver } from './resolve.ts';
import { endsMs } from './session-status.ts';

const transactions = '/merchantTransIDvalidationAPI.php';

let world: World;
let checkout: RealCheckout;
beforeAll(async () => {
  world = await startWorld();
  checkout = await startRealCheckout(world);
});
afterAll(async () => {
  await checkout.close();
  await world.close();
});

const begin = () => checkout.begin('sslcommerz');
/** The payer pays; the notification does not come. */
const pay = (found: FoundPayment) => checkout.sslcommerz.attempt(checkout.tranIdOf(found), 'VALID');

const giveUp = (found: FoundPayment) => expireNow({ ...world, ...checkout })(found);

describe('a merchant who ends the session gives up a payment at a real gateway', () => {
  it('that nobody has paid: it is cancelled', async () => {
    const found = await begin();
    await giveUp(found);
    expect(await checkout.now(found)).toMatchObject({
      session: { status: 'EXPIRED', paymentStatus: 'FAILED', livePaymentId: undefined },
      payment: { status: 'FAILED', mark: 'cancelled' },
    });
  });

  it('that is paid, before the notification: it completes the session', async () => {
    const found = await begin();
    pay(found);
    await Promise.resolve(giveUp(found)).catch(({ code }) => expect(code).toBe('session_not_open'));
    expect(await checkout.now(found)).toMatchObject({
      session: { status: 'COMPLETED', paymentStatus: 'SUCCEEDED' },
      payment: { status: 'SUCCEEDED', mark: undefined },
    });
    expect(await world.refunds.list(found)).toEqual([]);
  });

  it('that its gateway has just notified as paid, and does not list yet: it is waited for', async () => {
    const found = await begin();
    const paid = pay(found);
    Object.assign(checkout.sslcommerz.triesOf(checkout.tranIdOf(found))[0] ?? {}, { status: 'UNATTEMPTED' });
    const hear = receivePaymentNotification({ ...world, ...checkout, paymentsQueue: checkout.laterQueue });
    const path = { gatewayCode: 'sslcommerz', paymentId: found.payment.id };
    const request = { path, query: {}, headers: {}, document: () => ({}) };
    await hear({ ...request, body: Buffer.from(paid), nowMs: Date.now() });
    await giveUp(await checkout.now(found));
    expect((await checkout.now(found)).payment).toMatchObject({ status: 'PENDING', mark: undefined });
  });

  it('that its gateway notifies as paid while it is asked, and does not list yet: it is waited for', async () => {
    const found = await begin();
    const query = async () => {
      await world.payments.noteReportedPaid(found.payment, 'B1', Date.now());
      return { state: 'pending' } as const;
    };
    const resolver = paymentResolver({ ...world, ...checkout, findAdapter: async () => ({ query }) });
    await expireNow({ ...world, resolver, clock: Date.now })(found);
    expect(await checkout.now(found)).toMatchObject({
      session: { status: 'OPEN', livePaymentId: found.payment.id },
      payment: { status: 'PENDING', mark: undefined },
    });
  });

  it('that is paid while its time runs out: the session, which has expired for its readers, stays so', async () => {
    const found = await begin();
    let nowMs = endsMs(found.session) - 10_000;
    const query = async () => {
      nowMs += 15_000;
      return paidAnswer(found.payment);
    };
    const resolver = paymentResolver({ ...world, ...checkout, findAdapter: async () => ({ query }) });
    await expireNow({ ...world, resolver, clock: () => nowMs })(found);
    expect(await checkout.now(found)).toMatchObject({
      session: { status: 'EXPIRED', paymentStatus: 'EXPIRED' },
      payment: { status: 'SUCCEEDED', mark: 'surplus' },
    });
  });

  it.each([
    ['gives no answer', () => checkout.sslcommerz.trouble(transactions, '503')],
    ['has not decided', (found: FoundPayment) => checkout.sslcommerz.attempt(checkout.tranIdOf(found), 'PENDING')],
  ])('while the gateway %s: it is waited for, because it may have succeeded', async (_, become) => {
    const found = await begin();
    become(found);
    await giveUp(found);
    expect(await checkout.now(found)).toMatchObject({
      session: { status: 'OPEN', livePaymentId: found.payment.id },
      payment: { status: 'PENDING', mark: undefined },
    });
    pay(found);
    await checkout.resolver.resolve(found, Date.now());
    expect((await checkout.now(found)).session.status).toBe('COMPLETED');
  });

  it('that has ended: the gateway is not asked again', async () => {
    const found = await begin();
    await checkout.resolver.applyAnswer(found, { state: 'failed' }, Date.now());
    const asked = checkout.sslcommerz.callsOf(transactions).length;
    await giveUp(await checkout.now(found));
    expect(checkout.sslcommerz.callsOf(transactions)).toHaveLength(asked);
    expect((await checkout.now(found)).payment).toMatchObject({ status: 'FAILED', mark: undefined });
  });
});

it('a payment that its gateway notifies as paid while an earlier try is answered does not fail by that, and succeeds', async () => {
  const found = await begin();
  await world.payments.noteReportedPaid(found.payment, 'B1', Date.now());
  await checkout.resolver.applyAnswer(found, { state: 'failed' }, Date.now());
  expect((await checkout.now(found)).payment.status).toBe('PENDING');
  pay(found);
  await checkout.resolver.resolve(found, Date.now());
  expect(await checkout.now(found)).toMatchObject({
    session: { status: 'COMPLETED' },
    payment: { status: 'SUCCEEDED', mark: undefined },
  });
});
