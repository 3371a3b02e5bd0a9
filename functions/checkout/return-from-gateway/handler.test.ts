import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { troublePage } from '../../../shared/checkout/page/trouble.ts';
import type { FoundPayment } from '../../../shared/checkout/payment.ts';
import { makeReturnToken } from '../../../shared/checkout/return-token.ts';
import { checkoutPage } from '../../../shared/http/checkout-page.ts';
import { keylessSurface } from '../../../shared/http/keyless-surface.ts';
import { newId } from '../../../shared/kit/id.ts';
import { itemKeys } from '../../../shared/table/keys.ts';
import { type RealCheckout, startRealCheckout, visitAs } from '../../../test/real-checkout.ts';
import { startWorld, type World } from '../../../test/world.ts';
import { returnFromGateway } from './handler.ts';

let world: World;
let checkout: RealCheckout;
let nowMs: number;
beforeAll(async () => {
  world = await startWorld();
  checkout = await startRealCheckout(world);
});
afterAll(async () => {
  await checkout.close();
  await world.close();
});
beforeEach(() => {
  nowMs = Date.now();
  checkout.paymentsQueue.jobs.splice(0);
  checkout.laterQueue.jobs.splice(0);
});

const visit = (returnToken: string, rest: Partial<Parameters<typeof visitAs>[1]> = {}) => {
  const parts = { payers: keylessSurface, trouble: troublePage };
  const handler = checkoutPage(returnFromGateway({ ...world, ...checkout }), parts, () => nowMs);
  return visitAs(handler, { method: 'GET', path: { returnToken }, ...rest });
};

/** The browser goes where the gateway sends it: bKash by GET. */
const follow = (url: string) => {
  const { pathname, searchParams } = new URL(url);
  return visit(pathname.split('/').at(-1) ?? '', { query: Object.fromEntries(searchParams) });
};

const word = ({ payment }: FoundPayment, status: string) =>
  visit(payment.returnToken, { query: { paymentID: payment.reference ?? '', status } });

const waitingScreen = ({ session, payment }: FoundPayment) =>
  `https://pay.example/checkout/${session.id}/payments/${payment.id}?returned=1`;

const executions = () => checkout.bkash.callsOf('/checkout/execute').length;

describe('GET /checkout/return/{returnToken}', () => {
  it('303 leads to the waiting screen, and the money that the payer has approved moves once', async () => {
    const [found, before] = [await checkout.begin('bkash'), executions()];
    const url = checkout.bkash.approve(checkout.referenceOf(found));
    const { status, headers, cookies } = await follow(url);
    expect([status, headers['Location'], headers['Cache-Control'], cookies]).toEqual([
      ...[303, waitingScreen(found), 'no-store', undefined],
    ]);
    for (let n = 0; n < 3; n += 1) await follow(url);
    await checkout.work();
    expect(await checkout.now(found)).toMatchObject({
      session: { status: 'COMPLETED', paymentStatus: 'SUCCEEDED' },
      payment: { status: 'SUCCEEDED', confirmationClaim: { token: expect.any(String) } },
    });
    expect(executions()).toBe(before + 1);
  });

  it('303 a forged success changes nothing, and does not spoil the true one', async () => {
    const found = await checkout.begin('bkash');
    expect((await word(found, 'success')).status).toBe(303);
    await checkout.work();
    expect((await checkout.now(found)).payment).toMatchObject({ status: 'PENDING', confirmationClaim: undefined });
    nowMs += 5_000;
    await follow(checkout.bkash.approve(checkout.referenceOf(found)));
    await checkout.work();
    expect((await checkout.now(found)).payment.status).toBe('SUCCEEDED');
  });

  it('303 a payer who reloads begins attempts once in five seconds, and only the latest go on, until one has confirmed the payment', async () => {
    const [found, before] = [await checkout.begin('bkash'), executions()];
    const workLater = async () => {
      await checkout.paymentsQueue.send(checkout.laterQueue.jobs.splice(0));
      await checkout.work();
      return [executions() - before, checkout.laterQueue.jobs.length];
    };
    for (let n = 0; n < 3; n += 1, nowMs += 1_000) await word(found, 'success');
    expect(await workLater()).toEqual([1, 1]);
    await word(found, 'success');
    expect(checkout.paymentsQueue.jobs).toEqual([]);
    nowMs += 2_000;
    await word(found, 'success');
    await checkout.work();
    expect([executions() - before, checkout.laterQueue.jobs.length]).toEqual([2, 2]);
    expect(await workLater()).toEqual([3, 1]);
    await follow(checkout.bkash.approve(checkout.referenceOf(found)));
    expect(checkout.paymentsQueue.jobs).toEqual([]);
    expect(await workLater()).toEqual([4, 0]);
    expect((await checkout.now(found)).payment.status).toBe('SUCCEEDED');
  });

  it('303 a payer who reloads a cancellation, or the return of a payment that is held, has the gateway asked once in five seconds', async () => {
    const [found, held] = [await checkout.begin('bkash'), await checkout.begin('bkash')];
    const row = {
      Key: itemKeys.payment(held.session.id, held.payment.id),
      ExpressionAttributeNames: { '#mark': 'mark' },
    };
    await world.table.update({
      ...row,
      UpdateExpression: 'SET #mark = :held',
      ExpressionAttributeValues: { ':held': 'held' },
    });
    for (let n = 0; n < 3; n += 1) {
      await word(found, 'cancel');
      await word(held, 'success');
    }
    const { jobs } = checkout.paymentsQueue;
    expect(jobs).toMatchObject([
      { payment: found.payment.id, returned: 'cancel' },
      { payment: held.payment.id, returned: 'success' },
    ]);
    nowMs += 5_000;
    await word(held, 'success');
    expect(jobs).toHaveLength(3);
  });

  it.each([
    ['cancel', 'cancelled'],
    ['failure', undefined],
  ])('303 %s ends the payment without moving money', async (status, mark) => {
    const [found, before] = [await checkout.begin('bkash'), executions()];
    expect((await word(found, status)).status).toBe(303);
    await checkout.work();
    expect(await checkout.now(found)).toMatchObject({
      payment: { status: 'FAILED', mark },
      session: { status: 'OPEN', livePaymentId: undefined },
    });
    expect(executions()).toBe(before);
  });

  it('303 a cancellation is not believed once the money may have moved', async () => {
    const found = await checkout.begin('bkash');
    const url = checkout.bkash.approve(checkout.referenceOf(found));
    await follow(url);
    checkout.bkash.trouble('/checkout/execute', 'cut afterwards');
    checkout.bkash.trouble('/payment/status', 'cut afterwards');
    await checkout.work();
    expect((await checkout.now(found)).payment).toMatchObject({
      status: 'PENDING',
      confirmationClaim: { token: expect.any(String) },
    });
    await word(found, 'cancel');
    await checkout.work();
    expect((await checkout.now(found)).payment.status).toBe('SUCCEEDED');
  });

  it.each([
    {},
    { status: '' },
    { status: 'SUCCESS' },
    { status: 'VALID' },
    { status: 'success,cancel' },
    { paymentID: 'x' },
  ])('303 any other word has the gateway asked, once in five seconds: %o', async (query) => {
    const found = await checkout.begin('bkash');
    for (let n = 0; n < 3; n += 1) expect((await visit(found.payment.returnToken, { query })).status).toBe(303);
    expect(checkout.paymentsQueue.jobs).toEqual([
      { kind: 'resolve', account: found.account.id, session: found.session.id, payment: found.payment.id },
    ]);
  });

  it('303 ignores redirect targets in the query', async () => {
    const found = await checkout.begin('bkash');
    const query = {
      url: 'https://evil.example',
      successUrl: 'https://evil.example',
      returnToken: 'x',
      status: 'cancel',
    };
    const { headers } = await visit(found.payment.returnToken, { query, headers: { host: 'evil.example' } });
    expect(headers['Location']).toBe(waitingScreen(found));
  });

  it('303 a browser’s guess that the page may be wanted does nothing', async () => {
    const found = await checkout.begin('bkash');
    const headers = { 'sec-purpose': 'prefetch' };
    const { status } = await visit(found.payment.returnToken, { query: { status: 'cancel' }, headers });
    expect([status, checkout.paymentsQueue.jobs]).toEqual([303, []]);
  });

  it('303 does nothing for a payment that has ended', async () => {
    const found = await checkout.begin('bkash');
    await word(found, 'cancel');
    await checkout.work();
    expect((await word(found, 'success')).headers['Location']).toBe(waitingScreen(found));
    expect(checkout.paymentsQueue.jobs).toEqual([]);
  });

  it('404 answers a token that is of no payment, guessed or none, with a page; nothing happens', async () => {
    const found = await checkout.begin('bkash');
    const { returnToken } = found.payment;
    for (const token of [
      makeReturnToken(found.payment.id),
      makeReturnToken(newId(nowMs)),
      `${returnToken.slice(0, -1)}${returnToken.endsWith('A') ? 'Q' : 'A'}`,
      returnToken.slice(0, 25),
      found.payment.id,
      '',
    ]) {
      const { status, text } = await visit(token, { query: { status: 'success' } });
      expect([status, text.startsWith('<!doctype html>')]).toEqual([404, true]);
    }
    expect(checkout.paymentsQueue.jobs).toEqual([]);
    expect((await checkout.now(found)).payment.status).toBe('PENDING');
  });
});

describe('POST /checkout/return/{returnToken}', () => {
  const post = ({ payment }: FoundPayment, body: string) => visit(payment.returnToken, { method: 'POST', body });

  it('303 leads to the waiting screen by GET, and the gateway is asked', async () => {
    const found = await checkout.begin('sslcommerz');
    const body = checkout.sslcommerz.attempt(checkout.tranIdOf(found), 'VALID');
    const { status, headers, text } = await post(found, body);
    expect([status, headers['Location'], text]).toEqual([303, waitingScreen(found), '']);
    await checkout.work();
    expect((await checkout.now(found)).payment.status).toBe('SUCCEEDED');
  });

  it('303 a payer who has paid after an earlier try had failed has the gateway asked, once in five seconds, and gets the money back', async () => {
    const found = await checkout.begin('sslcommerz');
    await post(found, checkout.sslcommerz.attempt(checkout.tranIdOf(found), 'FAILED'));
    await checkout.work();
    expect((await checkout.now(found)).payment.status).toBe('FAILED');
    nowMs += 5_000;
    const body = checkout.sslcommerz.attempt(checkout.tranIdOf(found), 'VALID');
    for (let n = 0; n < 3; n += 1) await post(found, body);
    await visit(found.payment.returnToken, { query: { status: 'success' } });
    expect(checkout.paymentsQueue.jobs).toHaveLength(1);
    await checkout.work();
    expect((await checkout.now(found)).payment).toMatchObject({ status: 'SUCCEEDED', mark: 'surplus' });
    nowMs += 5_000;
    await post(found, body);
    expect(checkout.paymentsQueue.jobs).toEqual([]);
  });

  it('303 a forged success changes nothing', async () => {
    const found = await checkout.begin('sslcommerz');
    const tranId = checkout.tranIdOf(found);
    const body = new URLSearchParams({ status: 'VALID', tran_id: tranId, val_id: 'v', amount: '6000.00' }).toString();
    for (let n = 0; n < 3; n += 1) expect((await post(found, body)).status).toBe(303);
    expect(checkout.paymentsQueue.jobs).toHaveLength(1);
    await checkout.work();
    expect((await checkout.now(found)).payment).toMatchObject({ status: 'PENDING', mark: undefined });
  });
});
