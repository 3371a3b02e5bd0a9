import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { GatewayAdapter } from '../../../shared/checkout/gateway-adapter.ts';
import { orderOf, refundOrderOf } from '../../../shared/checkout/order.ts';
import type { FoundPayment } from '../../../shared/checkout/payment.ts';
import type { PaymentJob } from '../../../shared/checkout/payment-job.ts';
import type { Refund } from '../../../shared/checkout/refund.ts';
import { newRefund } from '../../../shared/checkout/refund.ts';
import { isReviewable } from '../../../shared/checkout/refund-review.ts';
import { paymentResolver } from '../../../shared/checkout/resolve.ts';
import { newId } from '../../../shared/kit/id.ts';
import { linesOf } from '../../../test/log-lines.ts';
import { type RealCheckout, startRealCheckout } from '../../../test/real-checkout.ts';
import { startWorld, type World } from '../../../test/world.ts';

// A run crashes after it took its claim: before or after its call to the gateway. The money is settled once.

let world: World;
let checkout: RealCheckout;
beforeAll(async () => {
  world = await startWorld();
  checkout = await startRealCheckout(world);
});
afterAll(() => Promise.all([world.close(), checkout.close()]));
beforeEach(() => {
  checkout.time.laterSeconds = 0;
  for (const gateway of [checkout.bkash, checkout.sslcommerz]) gateway.endTroubles();
});

/** Longer than a claim. */
const claimSeconds = 61;

/** What the worker is given, and then what it has sent to itself, each as late as it was to come. */
const work = async (job: PaymentJob, untilSeconds = claimSeconds): Promise<void> => {
  const { jobs, delays } = checkout.laterQueue;
  jobs.splice(0);
  delays.splice(0);
  await checkout.paymentsQueue.send([job]);
  while (checkout.paymentsQueue.jobs.length > 0) {
    await checkout.work();
    const [[next], [delaySeconds = 0]] = [jobs.splice(0), delays.splice(0)];
    const dueSeconds = checkout.time.laterSeconds + delaySeconds;
    if (!next || dueSeconds > untilSeconds) return;
    checkout.time.laterSeconds = dueSeconds;
    await checkout.paymentsQueue.send([next]);
  }
};

const gatewayOf = async ({ account, payment }: FoundPayment): Promise<GatewayAdapter> =>
  (await checkout.findAdapter(account, payment)) ?? expect.fail('no gateway');

/** A payment by bKash whose payer has agreed. */
const approved = async (): Promise<FoundPayment> => {
  const found = await checkout.begin('bkash');
  checkout.bkash.approve(checkout.referenceOf(found));
  return found;
};

const idsOf = ({ account, session, payment }: FoundPayment) => ({
  account: account.id,
  session: session.id,
  payment: payment.id,
});
const confirmJob = (found: FoundPayment, attempt = 1, claim?: string): PaymentJob => ({
  ...{ kind: 'confirm', ...idsOf(found) },
  ...{ returned: 'success', returnedMs: checkout.clock(), attempt, claim },
});
const resolveJob = (found: FoundPayment): PaymentJob => ({ kind: 'resolve', ...idsOf(found) });

describe('a confirmation', () => {
  const executions = (found: FoundPayment): number =>
    checkout.bkash
      .callsOf('/checkout/execute')
      .filter(({ body }) => JSON.parse(body).paymentID === checkout.referenceOf(found)).length;

  it.each([
    { by: 'the payer’s return', jobOf: confirmJob },
    { by: 'a check', jobOf: resolveJob },
  ])('that died before its call is made when its claim has ended, found by $by', async ({ jobOf }) => {
    const found = await approved();
    await world.payments.claimConfirmation(found.payment, checkout.clock());
    checkout.time.laterSeconds = claimSeconds;
    await work(jobOf(found));
    expect(await checkout.now(found)).toMatchObject({
      session: { status: 'COMPLETED' },
      payment: { status: 'SUCCEEDED', mark: undefined },
    });
    expect(executions(found)).toBe(1);
  });

  it('that died after many tries is followed from its first look, so it rings for nobody before its time', async () => {
    const found = await approved();
    await world.payments.claimConfirmation(found.payment, checkout.clock());
    const lines = await linesOf(() => work(confirmJob(found, 6), 2 * claimSeconds));
    expect(lines.filter(({ needsPerson }) => needsPerson)).toEqual([]);
    expect((await checkout.now(found)).payment).toMatchObject({ status: 'SUCCEEDED', mark: undefined });
    expect(executions(found)).toBe(1);
  });

  it('that died is not forgotten when the check that finds it dies too', async () => {
    const found = await approved();
    await world.payments.claimConfirmation(found.payment, checkout.clock());
    checkout.time.laterSeconds = claimSeconds;
    await checkout.paymentsQueue.send([resolveJob(found)]);
    await checkout.work();
    // What it queued is cleared away, as if it had not come so far.
    await work(resolveJob(found));
    expect((await checkout.now(found)).payment).toMatchObject({ status: 'SUCCEEDED', mark: undefined });
    expect(executions(found)).toBe(1);
  });

  it('that died after its call is found, and not made again', async () => {
    const found = await approved();
    await world.payments.claimConfirmation(found.payment, checkout.clock());
    await (await gatewayOf(found)).confirm(orderOf(found, checkout.addresses), { status: 'success' });
    checkout.time.laterSeconds = claimSeconds;
    await work(confirmJob(found));
    expect((await checkout.now(found)).payment).toMatchObject({ status: 'SUCCEEDED', mark: undefined });
    expect(executions(found)).toBe(1);
  });

  it('is left to its holder as long as that may run', async () => {
    const found = await approved();
    await world.payments.claimConfirmation(found.payment, checkout.clock());
    await checkout.paymentsQueue.send([confirmJob(found), resolveJob(found)]);
    await checkout.work();
    expect(executions(found)).toBe(0);
    expect((await checkout.now(found)).payment.status).toBe('PENDING');
  });

  /** Runs a confirmation for half an hour, with a poll each twenty seconds or none. Says at which runs the payer was free to cancel. */
  const halfHourOf = async (found: FoundPayment, first: PaymentJob, isPolled: boolean) => {
    const due = [{ atSeconds: 0, job: first }];
    for (let atSeconds = 20; isPolled && atSeconds < 1_800; atSeconds += 20)
      due.push({ atSeconds, job: resolveJob(found) });
    const freeSeconds: number[] = [];
    const lines = await linesOf(async () => {
      for (;;) {
        const next = due.sort((one, other) => one.atSeconds - other.atSeconds).shift();
        if (!next || next.atSeconds >= 1_800) break;
        checkout.time.laterSeconds = next.atSeconds;
        await checkout.paymentsQueue.send([next.job]);
        await checkout.work();
        const delays = checkout.laterQueue.delays.splice(0);
        const jobs = checkout.laterQueue.jobs.splice(0);
        due.push(...jobs.map((job, n) => ({ job, atSeconds: next.atSeconds + (delays[n] ?? 0) })));
        const { payment } = await checkout.now(found);
        if (payment.confirmationClaim === undefined) freeSeconds.push(next.atSeconds);
      }
    });
    return { freeSeconds, alarms: lines.filter(({ needsPerson }) => needsPerson) };
  };

  const refused = async (): Promise<FoundPayment> => {
    const found = await approved();
    checkout.bkash.payment(checkout.referenceOf(found)).refusal = { code: '2003', message: 'Process failed' };
    return found;
  };

  it.each([
    { attempt: 1, isPolled: true },
    { attempt: 1, isPolled: false },
    { attempt: 5, isPolled: false },
  ])(
    'that is refused without a certain reason is repeated three times at most, rings for nobody, and leaves its payer free: %o',
    async ({ attempt, isPolled }) => {
      const found = await refused();
      const { freeSeconds, alarms } = await halfHourOf(found, confirmJob(found, attempt), isPolled);
      expect([executions(found), alarms]).toEqual([4, []]);
      expect(freeSeconds.find((seconds) => seconds > 540)).toBeLessThanOrEqual(610);
      const { payment } = await checkout.now(found);
      expect(payment).toMatchObject({ status: 'PENDING', confirmationClaim: undefined, lostConfirmations: 4 });
    },
  );

  it('that its gateway has made late, after it was taken for lost, counts when the merchant ends the session', async () => {
    const found = await refused();
    await halfHourOf(found, confirmJob(found), false);
    checkout.bkash.payment(checkout.referenceOf(found)).refusal = undefined;
    await (await gatewayOf(found)).confirm(orderOf(await checkout.now(found), checkout.addresses), {
      status: 'success',
    });
    await checkout.resolver.cancel(await checkout.now(found), checkout.clock);
    expect(await checkout.now(found)).toMatchObject({ payment: { status: 'SUCCEEDED', mark: undefined } });
  });

  it('that was taken for lost has a person look where the last check of its payment finds no answer', async () => {
    const found = await refused();
    await halfHourOf(found, confirmJob(found), false);
    checkout.time.laterSeconds = 3 * 24 * 3_600 + 100;
    checkout.bkash.trouble('/payment/status', '503');
    const lines = await linesOf(() => work(resolveJob(found), 0));
    expect(lines.filter(({ needsPerson }) => needsPerson)).toMatchObject([{ message: 'a payment stays unanswered' }]);
  });

  it('that finds money which is held keeps its payer from cancelling, and rings for a person', async () => {
    const found = await approved();
    Object.assign(checkout.bkash.payment(checkout.referenceOf(found)).reports, { transactionStatus: 'Authorized' });
    const lines = await linesOf(async () => {
      await work(confirmJob(found), 0);
      const claim = (await checkout.now(found)).payment.confirmationClaim?.token;
      for (const [n, seconds] of [62, 182, 482, 1_382].entries()) {
        checkout.time.laterSeconds = seconds;
        await work(confirmJob(found, n + 2, claim), 0);
        await work(resolveJob(found), 0);
      }
    });
    expect(executions(found)).toBe(1);
    expect((await checkout.now(found)).payment).toMatchObject({
      ...{ status: 'PENDING', confirmationClaim: expect.anything() },
    });
    expect(lines).toContainEqual(expect.objectContaining({ paymentId: found.payment.id, needsPerson: true }));
  });

  it('without an answer is not made again at once, though bKash does not know of it yet', async () => {
    const found = await approved();
    checkout.bkash.trouble('/checkout/execute', 'cut');
    await work(confirmJob(found), 0);
    await work(confirmJob(found), 0);
    expect(executions(found)).toBe(1);
    checkout.time.laterSeconds = claimSeconds;
    await work(confirmJob(found));
    expect((await checkout.now(found)).payment).toMatchObject({ status: 'SUCCEEDED', mark: undefined });
    expect(executions(found)).toBe(2);
  });

  it('that stays unclear has a person look within the hour', async () => {
    const found = await approved();
    checkout.bkash.trouble('/checkout/execute', 'cut');
    for (let n = 0; n < 9; n += 1) checkout.bkash.trouble('/payment/status', '503');
    const lines = await linesOf(() => work(confirmJob(found), 3_600));
    expect(lines.filter(({ needsPerson }) => needsPerson)).toMatchObject([
      { accountId: checkout.account.id, sessionId: found.session.id, paymentId: found.payment.id },
    ]);
  });
});

it('a payment that is held alarms a person, also when the run dies as soon as that is stored', async () => {
  const found = await checkout.begin('sslcommerz');
  const saveSettlement: World['payments']['saveSettlement'] = async (...all) => {
    await world.payments.saveSettlement(...all);
    throw new Error('the process has died');
  };
  const resolver = paymentResolver({ ...world, ...checkout, payments: { ...world.payments, saveSettlement } });
  const other = { state: 'succeeded', amountMinor: 1 } as const;
  const lines = await linesOf(() =>
    expect(resolver.applyAnswer(found, other, checkout.clock())).rejects.toThrow('the process has died'),
  );
  expect((await checkout.now(found)).payment).toMatchObject({ status: 'PENDING', mark: 'held' });
  expect(lines.filter(({ needsPerson }) => needsPerson)).toMatchObject([
    { message: 'payment held for review', paymentId: found.payment.id },
  ]);
});

describe('an order at SSLCommerz that is paid twice', () => {
  const surplusLines = async (job: PaymentJob) =>
    (await linesOf(() => work(job))).filter(({ needsPerson }) => needsPerson);

  it.each([
    { first: '01', second: '02' },
    { first: '02', second: '01' },
  ])(
    'succeeds with the money that is listed first, and has a person give back the other: %o',
    async ({ first, second }) => {
      const found = await checkout.begin('sslcommerz');
      const pay = (paidSecond: string) => {
        const fields = { tran_date: `2026-11-20 12:00:${paidSecond}`, bank_tran_id: `B${paidSecond}` };
        checkout.sslcommerz.attempt(checkout.tranIdOf(found), 'VALID', fields);
      };
      pay(first);
      const again: PaymentJob = { kind: 'resolve', ...idsOf(found), isPaidAgain: true };
      expect(await surplusLines(again)).toEqual([]);
      pay(second);
      const ids = { accountId: checkout.account.id, sessionId: found.session.id, paymentId: found.payment.id };
      const surplus = { ...ids, transactionIds: [`B${second}`] };
      expect(await surplusLines(again)).toMatchObject([surplus]);
      expect((await checkout.now(found)).payment).toMatchObject({ status: 'SUCCEEDED', transactionId: `B${first}` });
    },
  );

  it('is asked about again when the gateway did not answer, because nothing else would find the other money', async () => {
    const found = await checkout.begin('sslcommerz');
    checkout.sslcommerz.attempt(checkout.tranIdOf(found), 'VALID');
    await work(resolveJob(found), 0);
    checkout.sslcommerz.attempt(checkout.tranIdOf(found), 'VALID');
    const again: PaymentJob = { kind: 'resolve', ...idsOf(found), isPaidAgain: true };
    checkout.sslcommerz.trouble('/merchantTransIDvalidationAPI.php', 'cut');
    await expect(work(again)).rejects.toMatchObject({
      message: 'a gateway does not say what was paid again',
      details: { orderNumber: checkout.tranIdOf(found) },
    });
    expect(await surplusLines(again)).toMatchObject([{ paymentId: found.payment.id }]);
  });

  it('is asked about again until the gateway lists the other money as paid, which it has notified', async () => {
    const found = await checkout.begin('sslcommerz');
    checkout.sslcommerz.attempt(checkout.tranIdOf(found), 'VALID');
    await work(resolveJob(found), 0);
    const again: PaymentJob = { kind: 'resolve', ...idsOf(found), isPaidAgain: true, paid: 'second' };
    for (const status of ['PENDING', 'VALID']) {
      await expect(work(again)).rejects.toThrow('does not say what was paid again');
      checkout.sslcommerz.attempt(checkout.tranIdOf(found), status, { bank_tran_id: 'second' });
    }
    expect(await surplusLines(again)).toMatchObject([{ paymentId: found.payment.id, transactionIds: ['second'] }]);
  });

  it('is asked about no more where the gateway has taken the other money back', async () => {
    const found = await checkout.begin('sslcommerz');
    checkout.sslcommerz.attempt(checkout.tranIdOf(found), 'VALID');
    await work(resolveJob(found), 0);
    checkout.sslcommerz.attempt(checkout.tranIdOf(found), 'FAILED', { bank_tran_id: 'second' });
    const again: PaymentJob = { kind: 'resolve', ...idsOf(found), isPaidAgain: true, paid: 'second' };
    expect(await surplusLines(again)).toEqual([]);
  });

  it('after days does not call the payment that counts unanswered, whose money a person would give back', async () => {
    const found = await checkout.begin('sslcommerz');
    checkout.sslcommerz.attempt(checkout.tranIdOf(found), 'VALID');
    await work(resolveJob(found), 0);
    checkout.time.laterSeconds = 3 * 24 * 3_600 + 100;
    checkout.sslcommerz.trouble('/merchantTransIDvalidationAPI.php', 'cut');
    const again: PaymentJob = { kind: 'resolve', ...idsOf(found), isPaidAgain: true };
    const lines = await linesOf(() => expect(work(again)).rejects.toThrow());
    expect(lines.filter(({ needsPerson }) => needsPerson)).toEqual([]);
  });

  it('is asked about again where both were notified before the first was found', async () => {
    const found = await checkout.begin('sslcommerz');
    const pay = (paid: string): PaymentJob => {
      checkout.sslcommerz.attempt(checkout.tranIdOf(found), 'VALID', { bank_tran_id: paid });
      return { kind: 'resolve', ...idsOf(found), check: 0, paid };
    };
    const first = pay('first');
    expect(await surplusLines(first)).toEqual([]);
    const second = pay('second');
    checkout.sslcommerz.trouble('/merchantTransIDvalidationAPI.php', 'cut');
    await expect(work(second)).rejects.toThrow('does not say what was paid again');
    expect(await surplusLines(second)).toMatchObject([{ paymentId: found.payment.id }]);
    expect(await surplusLines(first)).toEqual([]);
  });

  it('is asked about again where the notified money is not listed yet when the other is found', async () => {
    const found = await checkout.begin('sslcommerz');
    const second: PaymentJob = { kind: 'resolve', ...idsOf(found), paid: 'second' };
    checkout.sslcommerz.attempt(checkout.tranIdOf(found), 'VALID', { bank_tran_id: 'first' });
    await expect(work(second)).rejects.toThrow('does not say what was paid again');
    expect((await checkout.now(found)).payment).toMatchObject({ status: 'SUCCEEDED', transactionId: 'first' });
    checkout.sslcommerz.attempt(checkout.tranIdOf(found), 'VALID', { bank_tran_id: 'second' });
    expect(await surplusLines(second)).toMatchObject([{ paymentId: found.payment.id, transactionIds: ['second'] }]);
  });

  it('is understood alike whichever was validated before', async () => {
    const found = await checkout.begin('sslcommerz');
    for (const second of ['02', '01']) {
      const fields = { tran_date: `2026-11-20 12:00:${second}`, bank_tran_id: `B${second}`, val_id: newId(Date.now()) };
      checkout.sslcommerz.attempt(checkout.tranIdOf(found), 'VALID', fields);
    }
    const ask = async () => (await gatewayOf(found)).query(orderOf(found, checkout.addresses));
    expect([(await ask()).transactionId, (await ask()).transactionId]).toEqual(['B01', 'B01']);
    await surplusLines(resolveJob(found));
    expect((await checkout.now(found)).payment).toMatchObject({ status: 'SUCCEEDED', transactionId: 'B01' });
  });
});

describe.each(['sslcommerz', 'bkash'] as const)('a refund by %s', (gatewayCode) => {
  /** Where it is asked about a refund. */
  const asked = { bkash: '/refund/payment/status', sslcommerz: '/validator/api/merchantTransIDvalidationAPI.php' };
  const paid = async (): Promise<FoundPayment> => {
    if (gatewayCode === 'bkash') {
      const found = await approved();
      await work(confirmJob(found));
      return checkout.now(found);
    }
    const found = await checkout.begin('sslcommerz');
    checkout.sslcommerz.attempt(checkout.tranIdOf(found), 'VALID');
    await work(resolveJob(found));
    return checkout.now(found);
  };

  /** A refund that was asked for, and the right to make it taken by a run that is dead. */
  const interrupted = async () => {
    const found = await paid();
    const wish = { id: newId(Date.now()), amountMinor: 250_000, reason: undefined, nowMs: Date.now() };
    const refund = newRefund(found.payment, wish);
    await world.refunds.add(found, refund);
    await world.refunds.claim(refund, checkout.clock());
    return {
      found,
      refund,
      job: { kind: 'refund', account: refund.accountId, session: refund.sessionId, refund: refund.id } as const,
    };
  };
  const call = async (found: FoundPayment, refund: Refund) =>
    (await gatewayOf(found)).refund(orderOf(found, checkout.addresses), refundOrderOf(refund, []));
  const made = (found: FoundPayment): number =>
    gatewayCode === 'bkash'
      ? checkout.bkash.refundsOf(checkout.referenceOf(found)).length
      : checkout.sslcommerz.refundsOf(checkout.tranIdOf(found)).length;
  const statusOf = async ({ sessionId, id }: Refund) => (await world.refunds.find(sessionId, id))?.refund.status;

  it('that died before its call is made at bKash when it must have been listed, and left to a person at SSLCommerz', async () => {
    const { found, refund, job } = await interrupted();
    const isListed = gatewayCode === 'bkash';
    checkout.time.laterSeconds = claimSeconds;
    await work(job, 300);
    expect(made(found)).toBe(0);
    const lines = await linesOf(() => work(job, 960));
    expect(lines.filter(({ needsPerson }) => needsPerson)).toMatchObject(isListed ? [] : [{ refundId: refund.id }]);
    await work(job);
    expect([await statusOf(refund), made(found)]).toEqual(isListed ? ['SUCCEEDED', 1] : ['PENDING', 0]);
    const open = await world.refunds.find(refund.sessionId, refund.id);
    expect(open && isReviewable(open.refund, refund.createdMs + 15 * 60_000)).toBe(!isListed);
  });

  it('that died after its call is not made twice', async () => {
    const { found, refund, job } = await interrupted();
    await call(found, refund);
    checkout.time.laterSeconds = claimSeconds;
    await work(job);
    expect(made(found)).toBe(1);
    if (gatewayCode === 'bkash') expect(await statusOf(refund)).toBe('SUCCEEDED');
  });

  it('is left to its holder as long as that may run', async () => {
    const { found, refund, job } = await interrupted();
    await work(job, 0);
    expect([await statusOf(refund), made(found)]).toEqual(['PENDING', 0]);
  });

  it('that is open after a month is left to a person, by the names that its settlement asks for', async () => {
    const { found, refund, job } = await interrupted();
    checkout[gatewayCode].trouble(asked[gatewayCode], 'cut');
    checkout.time.laterSeconds = 31 * 86_400;
    const lines = await linesOf(() => work(job, checkout.time.laterSeconds));
    expect(lines.filter(({ message }) => message === 'a refund is still open')).toMatchObject([
      { accountId: checkout.account.id, paymentId: found.payment.id, refundId: refund.id, needsPerson: true },
    ]);
  });

  it('that stays unclear has a person look within the hour', async () => {
    const { refund, job } = await interrupted();
    for (let n = 0; n < 4; n += 1) checkout[gatewayCode].trouble(asked[gatewayCode], 'cut');
    checkout.time.laterSeconds = claimSeconds;
    const lines = await linesOf(() => work(job, 960));
    expect(lines.filter(({ needsPerson }) => needsPerson)).toMatchObject([{ refundId: refund.id }]);
  });
});
