import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { FoundPayment } from '../../../shared/checkout/payment.ts';
import { settlementOfCancellation } from '../../../shared/checkout/settle-payment.ts';
import { settlementOfReview } from '../../../shared/checkout/settle-review.ts';
import { callback } from '../../../shared/http/callback.ts';
import { unlimited } from '../../../shared/http/callback-fixture.ts';
import { newId } from '../../../shared/kit/id.ts';
import { minuteMs } from '../../../shared/kit/time-units.ts';
import { linesOf } from '../../../test/log-lines.ts';
import { type RealCheckout, startRealCheckout, visitAs } from '../../../test/real-checkout.ts';
import { startWorld, type World } from '../../../test/world.ts';
import { type ReceivePaymentNotificationNeeds, receivePaymentNotification } from './handler.ts';

type PaymentsQueue = ReceivePaymentNotificationNeeds['paymentsQueue'];

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
  checkout.time.laterSeconds = 0;
  for (const { jobs, delays } of [checkout.paymentsQueue, checkout.laterQueue]) {
    jobs.splice(0);
    delays.splice(0);
  }
});

const post = (
  gatewayCode: string,
  paymentId: string,
  body: string,
  paymentsQueue: PaymentsQueue = checkout.paymentsQueue,
) =>
  visitAs(
    callback(receivePaymentNotification({ ...world, ...checkout, paymentsQueue }), unlimited, () => nowMs),
    {
      path: { gatewayCode, paymentId },
      body,
    },
  );

const notify = async ({ payment }: FoundPayment, body: string, paymentsQueue: PaymentsQueue = checkout.paymentsQueue) =>
  (await post(payment.gatewayCode, payment.id, body, paymentsQueue)).status;

const resolveJob = ({ account, session, payment }: FoundPayment) => ({
  kind: 'resolve',
  account: account.id,
  session: session.id,
  payment: payment.id,
});

/** Of a payment that its gateway calls paid. */
const paidJob = (found: FoundPayment, body: string) => ({ ...resolveJob(found), check: 0, paid: transactionIn(body) });

/** Of a payment that has money, and that its gateway calls paid with other money. */
const paidAgainJob = (found: FoundPayment, body: string) => ({
  ...resolveJob(found),
  isPaidAgain: true,
  paid: transactionIn(body),
});

const transactionIn = (body: string) => new URLSearchParams(body).get('bank_tran_id');

const questions = () => checkout.sslcommerz.callsOf('/merchantTransIDvalidationAPI.php').length;

/** A forged success: everything as the gateway would write it, but for the sign. */
const forgedBody = (found: FoundPayment): string =>
  new URLSearchParams({
    ...{ status: 'VALID', tran_id: checkout.tranIdOf(found), val_id: 'v', amount: '6000.00', currency: 'BDT' },
    ...{ verify_key: 'status,tran_id,val_id,amount,currency', verify_sign: '0'.repeat(32) },
  }).toString();

describe('POST /callbacks/payments/{gatewayCode}/{paymentId}', () => {
  it('200 has the gateway asked, and what it says settles the payment', async () => {
    const found = await checkout.begin('sslcommerz');
    const body = checkout.sslcommerz.attempt(checkout.tranIdOf(found), 'VALID');
    expect(await notify(found, body)).toBe(200);
    expect(checkout.paymentsQueue.jobs).toEqual([paidJob(found, body)]);
    await checkout.work();
    expect(await checkout.now(found)).toMatchObject({
      session: { status: 'COMPLETED', paymentStatus: 'SUCCEEDED' },
      payment: { status: 'SUCCEEDED', refundableMinor: 600_000, transactionId: expect.any(String) },
    });
  });

  it('200 keeps the payer from cancelling what the gateway reports as paid, and no other payment', async () => {
    const paid = await checkout.begin('sslcommerz');
    const failed = await checkout.begin('sslcommerz');
    const forged = await checkout.begin('sslcommerz');
    await notify(paid, checkout.sslcommerz.attempt(checkout.tranIdOf(paid), 'VALID'));
    await notify(failed, checkout.sslcommerz.attempt(checkout.tranIdOf(failed), 'FAILED'));
    await notify(forged, forgedBody(forged));
    const now = await Promise.all([paid, failed, forged].map(checkout.now));
    expect(now.map((found) => settlementOfCancellation(found, nowMs) !== undefined)).toEqual([false, true, true]);
    await checkout.work();
  });

  it('200 has what is reported paid checked from then on as a new payment is, where the gateway does not answer at once', async () => {
    const [pending, failed] = [await checkout.begin('sslcommerz'), await checkout.begin('sslcommerz')];
    await notify(failed, checkout.sslcommerz.attempt(checkout.tranIdOf(failed), 'FAILED'));
    await checkout.work();
    // After the first 15 minutes of a payment, its next check comes when an hour is over.
    nowMs += 20 * minuteMs;
    checkout.time.laterSeconds = 1_200;
    for (const found of [pending, failed]) {
      checkout.sslcommerz.trouble('/merchantTransIDvalidationAPI.php', 'cut');
      await notify(found, checkout.sslcommerz.attempt(checkout.tranIdOf(found), 'VALID'));
    }
    await checkout.work();
    const { jobs, delays } = checkout.laterQueue;
    expect(jobs).toMatchObject([pending, failed].map((found) => ({ ...resolveJob(found), check: 1 })));
    for (const delay of delays) expect(delay).toBeCloseTo(45, -1);
    await checkout.paymentsQueue.send(jobs.splice(0));
    await checkout.work();
    expect((await checkout.now(pending)).payment).toMatchObject({ status: 'SUCCEEDED', mark: undefined });
    expect((await checkout.now(failed)).payment).toMatchObject({ status: 'SUCCEEDED', mark: 'surplus' });
    expect(jobs).toEqual([]);
  });

  it('200 has a payment that has succeeded asked about again, where the gateway speaks of other money', async () => {
    const found = await checkout.begin('sslcommerz');
    await notify(found, checkout.sslcommerz.attempt(checkout.tranIdOf(found), 'VALID'));
    await checkout.work();
    await notify(found, checkout.sslcommerz.attempt(checkout.tranIdOf(found), 'VALID'));
    expect(checkout.paymentsQueue.jobs).toMatchObject([{ kind: 'resolve', isPaidAgain: true }]);
    await checkout.work();
  });

  it('200 each transaction that paid an order again is asked about, five seconds after, and repeated, once a minute', async () => {
    const found = await checkout.begin('sslcommerz');
    await notify(found, checkout.sslcommerz.attempt(checkout.tranIdOf(found), 'VALID'));
    await checkout.work();
    const { jobs, delays } = checkout.paymentsQueue;
    delays.splice(0);
    const pay = () => checkout.sslcommerz.attempt(checkout.tranIdOf(found), 'VALID');
    const [second, third] = [pay(), pay()];
    for (const body of [second, third, second, third]) await notify(found, body);
    const asked = [paidAgainJob(found, second), paidAgainJob(found, third)];
    expect([jobs, delays]).toEqual([asked, [5, 5]]);
    nowMs += minuteMs;
    for (let n = 0; n < 3; n += 1) await notify(found, second);
    expect(jobs).toEqual([...asked, paidAgainJob(found, second)]);
    await checkout.work();
  });

  it('200 two that are reported paid within a minute are both checked, where the gateway lists neither yet', async () => {
    const found = await checkout.begin('sslcommerz');
    const bodies = ['VALID', 'VALID'].map((status) => checkout.sslcommerz.attempt(checkout.tranIdOf(found), status));
    for (const body of bodies) {
      checkout.sslcommerz.trouble('/merchantTransIDvalidationAPI.php', 'cut');
      await notify(found, body);
      await checkout.work();
    }
    expect(checkout.laterQueue.jobs).toEqual(bodies.map((body) => ({ ...paidJob(found, body), check: 1 })));
  });

  it('500 while the queue takes nothing, and other money that is notified again at once is asked about', async () => {
    const found = await checkout.begin('sslcommerz');
    await notify(found, checkout.sslcommerz.attempt(checkout.tranIdOf(found), 'VALID'));
    await checkout.work();
    const second = checkout.sslcommerz.attempt(checkout.tranIdOf(found), 'VALID');
    const send = async () => {
      throw new Error('the queue takes nothing');
    };
    expect(await notify(found, second, { send })).toBe(500);
    expect(await notify(found, second)).toBe(200);
    expect(checkout.paymentsQueue.jobs).toEqual([paidAgainJob(found, second)]);
    await checkout.work();
  });

  it('200 what is reported paid again and again within a minute is checked once, where the gateway does not answer', async () => {
    const found = await checkout.begin('sslcommerz');
    const body = checkout.sslcommerz.attempt(checkout.tranIdOf(found), 'VALID');
    for (let n = 0; n < 3; n += 1) {
      checkout.sslcommerz.trouble('/merchantTransIDvalidationAPI.php', 'cut');
      await notify(found, body);
      await checkout.work();
      nowMs += 10_000;
    }
    expect(checkout.laterQueue.jobs).toEqual([{ ...paidJob(found, body), check: 1 }]);
  });

  it('200 money that a review has rejected is no news: the gateway is asked about it once in five seconds', async () => {
    const begun = await checkout.begin('sslcommerz');
    const body = checkout.sslcommerz.attempt(checkout.tranIdOf(begun), 'VALID', { risk_level: '1' });
    await notify(begun, body);
    await checkout.work();
    const found = await checkout.now(begun);
    const facts = { ...found, nowMs, acceptsLatePayments: false, refundId: newId(nowMs) };
    const rejected = settlementOfReview(facts, { decision: 'reject', reason: undefined });
    expect(rejected && (await world.payments.saveSettlement(found, rejected))).toBe(true);
    nowMs += 2 * minuteMs;
    for (let n = 0; n < 3; n += 1) await notify(found, body);
    expect(checkout.paymentsQueue.jobs).toHaveLength(1);
    await checkout.work();
  });

  it('200 changes nothing more when it is repeated, and asks the gateway nothing', async () => {
    const found = await checkout.begin('sslcommerz');
    const body = checkout.sslcommerz.attempt(checkout.tranIdOf(found), 'VALID');
    const answers = [await notify(found, body), await notify(found, body), await notify(found, body)];
    expect(answers).toEqual([200, 200, 200]);
    await checkout.work();
    const [after, asked] = [await checkout.now(found), questions()];
    for (let n = 0; n < 3; n += 1) expect(await notify(found, body)).toBe(200);
    expect(checkout.paymentsQueue.jobs).toEqual([]);
    expect(await checkout.now(found)).toEqual(after);
    expect(questions()).toBe(asked);
    expect(await world.refunds.list(found)).toEqual([]);
  });

  it('200 has a payment that is held asked about too, where the gateway speaks of other money', async () => {
    const found = await checkout.begin('sslcommerz');
    const held = checkout.sslcommerz.attempt(checkout.tranIdOf(found), 'VALID', { risk_level: '1' });
    await notify(found, held);
    await checkout.work();
    await notify(found, held);
    const other = checkout.sslcommerz.attempt(checkout.tranIdOf(found), 'VALID');
    await notify(found, other);
    expect(checkout.paymentsQueue.jobs).toEqual([paidAgainJob(found, other)]);
    const lines = await linesOf(checkout.work);
    expect(lines.filter(({ needsPerson }) => needsPerson)).toMatchObject([
      { message: 'a payment was paid more than once', paymentId: found.payment.id },
    ]);
    expect((await checkout.now(found)).payment).toMatchObject({ status: 'PENDING', mark: 'held' });
  });

  it('200 a failure that comes after the success changes nothing, and however often it is repeated, the gateway is asked nothing', async () => {
    const found = await checkout.begin('sslcommerz');
    const failure = checkout.sslcommerz.attempt(checkout.tranIdOf(found), 'FAILED');
    const success = checkout.sslcommerz.attempt(checkout.tranIdOf(found), 'VALID');
    await notify(found, success);
    await checkout.work();
    const asked = questions();
    for (let n = 0; n < 3; n += 1) await notify(found, failure);
    await checkout.work();
    expect([(await checkout.now(found)).payment.status, questions()]).toEqual(['SUCCEEDED', asked]);
  });

  it.each([
    ['FAILED', { status: 'FAILED', mark: undefined }],
    ['CANCELLED', { status: 'FAILED', mark: 'cancelled' }],
  ])('200 %s ends the payment, and the session takes another', async (status, payment) => {
    const found = await checkout.begin('sslcommerz');
    await notify(found, checkout.sslcommerz.attempt(checkout.tranIdOf(found), status));
    await checkout.work();
    expect(await checkout.now(found)).toMatchObject({
      payment,
      session: { status: 'OPEN', paymentStatus: 'FAILED', livePaymentId: undefined },
    });
  });

  it.each([
    ['amount', { amount: '5999.99' }],
    ['currency', { currency_type: 'USD', currency_amount: '6000.00' }],
    ['risk', { risk_level: '1' }],
  ])('200 holds a payment whose %s is not as it must be', async (_, wishes) => {
    const found = await checkout.begin('sslcommerz');
    await notify(found, checkout.sslcommerz.attempt(checkout.tranIdOf(found), 'VALID', wishes));
    await checkout.work();
    expect(await checkout.now(found)).toMatchObject({
      payment: { status: 'PENDING', mark: 'held' },
      session: { status: 'OPEN', paymentStatus: 'PENDING' },
    });
  });

  it('200 a forged one is not believed: the gateway is asked, once in five seconds', async () => {
    const found = await checkout.begin('sslcommerz');
    for (let n = 0; n < 5; n += 1) expect(await notify(found, forgedBody(found))).toBe(200);
    expect(checkout.paymentsQueue.jobs).toEqual([resolveJob(found)]);
    await checkout.work();
    expect((await checkout.now(found)).payment).toMatchObject({ status: 'PENDING', mark: undefined });
    nowMs += 5_000;
    await notify(found, forgedBody(found));
    expect(checkout.paymentsQueue.jobs).toEqual([resolveJob(found)]);
  });

  it('200 money of another try is seen at once after the payment had failed, and goes back; a repeated failure is no news', async () => {
    const found = await checkout.begin('sslcommerz');
    const failure = checkout.sslcommerz.attempt(checkout.tranIdOf(found), 'FAILED');
    await notify(found, failure);
    await checkout.work();
    expect((await checkout.now(found)).payment.status).toBe('FAILED');
    // The payer's return has just been asked about.
    await world.payments.claimPoll(await checkout.now(found), nowMs);
    for (let n = 0; n < 3; n += 1) await notify(found, failure);
    expect(checkout.paymentsQueue.jobs).toEqual([]);
    const success = checkout.sslcommerz.attempt(checkout.tranIdOf(found), 'VALID');
    await notify(found, success);
    expect(checkout.paymentsQueue.jobs).toEqual([paidJob(found, success)]);
    await checkout.work();
    expect((await checkout.now(found)).payment).toMatchObject({ status: 'SUCCEEDED', mark: 'surplus' });
  });

  it('200 a genuine one of another payment is no news of this one', async () => {
    const [found, other] = [await checkout.begin('sslcommerz'), await checkout.begin('sslcommerz')];
    const body = checkout.sslcommerz.attempt(checkout.tranIdOf(other), 'VALID');
    for (let n = 0; n < 3; n += 1) expect(await notify(found, body)).toBe(200);
    expect(checkout.paymentsQueue.jobs).toEqual([resolveJob(found)]);
    await checkout.work();
    expect((await checkout.now(found)).payment.status).toBe('PENDING');
  });

  it('200 takes any request for a hint', async () => {
    for (const body of ['', '%', '{}', 'tran_id=x&verify_key=a&verify_sign=b', '\u0000', 'a=1&'.repeat(10_000)]) {
      const found = await checkout.begin('sslcommerz');
      expect(await notify(found, body)).toBe(200);
      expect(checkout.paymentsQueue.jobs).toEqual([resolveJob(found)]);
      checkout.paymentsQueue.jobs.splice(0);
    }
  });

  it('200 a gateway that sends no notifications is queried', async () => {
    const found = await checkout.begin('bkash');
    for (let n = 0; n < 3; n += 1) expect(await notify(found, 'status=success')).toBe(200);
    expect(checkout.paymentsQueue.jobs).toEqual([resolveJob(found)]);
  });

  it('202 lets pass what is about no payment of this gateway, and does nothing', async () => {
    const found = await checkout.begin('sslcommerz');
    const body = checkout.sslcommerz.attempt(checkout.tranIdOf(found), 'VALID');
    for (const [code, id] of [
      ['sslcommerz', newId(nowMs)],
      ['sslcommerz', 'x'],
      ['bkash', found.payment.id],
      ['none', found.payment.id],
    ] as const) {
      expect((await post(code, id, body)).status).toBe(202);
    }
    expect(checkout.paymentsQueue.jobs).toEqual([]);
  });
});
