import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { checkoutAddresses } from '../../../shared/checkout/addresses.ts';
import { orderNumberOf } from '../../../shared/checkout/order-number.ts';
import type { FoundPayment } from '../../../shared/checkout/payment.ts';
import { type PaymentJob, paymentJob } from '../../../shared/checkout/payment-job.ts';
import { paymentResolver } from '../../../shared/checkout/resolve.ts';
import type { CheckoutSession } from '../../../shared/checkout/session.ts';
import { endsMs } from '../../../shared/checkout/session-status.ts';
import type { RefundOutcome } from '../../../shared/checkout/work-refund.ts';
import { newId } from '../../../shared/kit/id.ts';
import { hourMs, minuteMs } from '../../../shared/kit/time-units.ts';
import type { Guard } from '../../../shared/work/queue-worker.ts';
import { begunPayment, openSession, pendingPayment } from '../../../test/checkout-fixture.ts';
import { linesOf } from '../../../test/log-lines.ts';
import { paidAnswer, scriptedGateway } from '../../../test/scripted-gateway.ts';
import { startList } from '../../../test/webhook-calls.ts';
import { startWorld, type TestAccount, type World } from '../../../test/world.ts';
import { type WorkPaymentsNeeds, workPayments } from './handler.ts';

let world: World;
let account: TestAccount;
let script: ReturnType<typeof scriptedGateway>;
let queue: ReturnType<typeof startList<PaymentJob>>;
let hasGateway: boolean;
let refundOutcomes: RefundOutcome[];
let nowMs: number;
beforeAll(async () => {
  world = await startWorld();
  account = await world.newAccount();
});
afterAll(() => world.close());
beforeEach(() => {
  script = scriptedGateway();
  queue = startList();
  hasGateway = true;
  refundOutcomes = [];
  nowMs = Date.now();
});

const guard: Guard<PaymentJob> = (_, run) => run();
const work = (...jobs: readonly PaymentJob[]) => workWith({}, ...jobs);
const workWith = (other: Partial<WorkPaymentsNeeds>, ...jobs: readonly PaymentJob[]) => {
  const addresses = checkoutAddresses('https://pay.example');
  const findAdapter = async () => (hasGateway ? script.gateway : undefined);
  const workRefund = async () => refundOutcomes.shift() ?? 'over';
  const resolver = paymentResolver({ ...world, findAdapter, addresses });
  const needs = {
    ...world,
    findAdapter,
    addresses,
    resolver,
    workRefund,
    paymentsQueue: queue,
    simulatorSeconds: 60,
    lifetimeSeconds: 86_400,
    ...other,
  };
  return workPayments({ ...needs, clock: () => nowMs })(jobs, guard);
};

const begin = (wishes: Partial<CheckoutSession> = {}) => begunPayment(world, account, wishes, 'bkash');
const jobOf = ({ account: { id }, session, payment }: FoundPayment) => ({
  account: id,
  session: session.id,
  payment: payment.id,
});
const now = async ({ session, payment }: FoundPayment) => {
  const found = await world.payments.find(session.id, payment.id);
  if (!found) throw new Error('the payment is gone');
  return found;
};
/** Runs what the worker has queued for itself. */
const workQueued = () => work(...queue.jobs.splice(0));

describe('opening a payment', () => {
  const open = (found: FoundPayment, attempt = 1): PaymentJob => ({ kind: 'open', ...jobOf(found), attempt });

  it('stores the gateway’s payment URL, and sends the gateway the return URL', async () => {
    const found = await begin();
    await work(open(found));
    const { id, returnToken } = found.payment;
    expect((await now(found)).payment).toMatchObject({
      status: 'PENDING',
      redirectUrl: `https://gateway.example/ref-${id}`,
      reference: `ref-${id}`,
    });
    expect(script.asked[0]?.order).toMatchObject({
      paymentId: id,
      amountMinor: 600_000,
      customer: { name: 'Ada', email: 'ada@example.com' },
      returnUrl: `https://pay.example/checkout/return/${returnToken}`,
      notificationUrl: `https://pay.example/callbacks/payments/bkash/${id}`,
    });
  });

  it('opens it once for repeated jobs, and not after it has ended', async () => {
    const [found, ended] = [await begin(), await begin()];
    await work(open(found), open(found));
    script.answer(ended.payment.id, { state: 'failed' });
    await work({ kind: 'resolve', ...jobOf(ended) }, open(ended));
    expect(script.calls()).toEqual(['create', 'query']);
  });

  it('ends a payment that the gateway refuses, with the gateway’s reason', async () => {
    const found = await begin();
    script.open({ kind: 'refused', code: '2065', reason: 'Mandatory field missing' });
    const lines = await linesOf(() => work(open(found)));
    expect(lines).toMatchObject([{ message: 'a gateway opens no payment', paymentId: found.payment.id, code: '2065' }]);
    expect(await now(found)).toMatchObject({
      session: { status: 'OPEN', paymentStatus: 'FAILED', livePaymentId: undefined },
      payment: { status: 'FAILED', lastAnswer: { code: '2065', reason: 'Mandatory field missing' } },
    });
  });

  it('calls a gateway unreachable that refuses a payment which it may have opened in a try without an answer', async () => {
    const found = await begin();
    script.open({ kind: 'unavailable' }, { kind: 'refused', code: 'FAILED', reason: 'The number is in use' });
    await work(open(found));
    expect(await linesOf(workQueued)).toMatchObject([{ code: 'gateway_unavailable' }]);
    expect((await now(found)).payment).toMatchObject({ status: 'FAILED', lastAnswer: { code: 'gateway_unavailable' } });
  });

  it('opens nothing whose time is up: the payment has expired', async () => {
    const found = await begin();
    nowMs += 2 * hourMs;
    await work(open(found));
    expect([script.calls(), (await now(found)).payment.status]).toEqual([[], 'EXPIRED']);
  });

  it('a payment that readers saw expire while a slow gateway refused it stays expired', async () => {
    const found = await begin();
    nowMs = endsMs(found.session) - 10_000;
    const create = async () => {
      nowMs += 15_000;
      return { kind: 'refused', code: '2065', reason: 'Mandatory field missing' } as const;
    };
    await workWith({ findAdapter: async () => ({ ...script.gateway, create }) }, open(found));
    expect(await now(found)).toMatchObject({
      session: { status: 'EXPIRED', paymentStatus: 'EXPIRED' },
      payment: { status: 'EXPIRED' },
    });
  });

  it('opens a payment a moment later whose session was read from before it began', async () => {
    const found = await begin();
    const older = { ...found.session, livePaymentId: undefined, paymentCount: 0 };
    await workWith({ payments: { ...world.payments, find: async () => ({ ...found, session: older }) } }, open(found));
    expect((await now(found)).payment.status).toBe('PENDING');
    // No gateway was called, so what it refuses now is the reason.
    expect(queue.jobs).toEqual([open(found)]);
    await workQueued();
    expect([queue.delays, script.calls()]).toEqual([[2], ['create']]);
    expect((await now(found)).payment).toMatchObject({ status: 'PENDING', reference: `ref-${found.payment.id}` });
  });

  it('tries a gateway that cannot be reached again after 2, 5 and 10 s, then ends the payment', async () => {
    const found = await begin();
    script.open(...Array.from({ length: 4 }, () => ({ kind: 'unavailable' }) as const));
    await work(open(found));
    for (let n = 0; n < 2; n += 1) await workQueued();
    const lines = await linesOf(workQueued);
    expect(queue.delays).toEqual([2, 5, 10]);
    const ids = { accountId: account.ref.id, sessionId: found.session.id, paymentId: found.payment.id };
    expect(lines).toMatchObject([
      {
        level: 'error',
        message: 'a gateway opens no payment',
        ...ids,
        gatewayCode: 'bkash',
        code: 'gateway_unavailable',
      },
    ]);
    expect((await now(found)).payment).toMatchObject({ status: 'FAILED', lastAnswer: { code: 'gateway_unavailable' } });
  });

  it('takes a gateway that the account has not any more for one that cannot be reached', async () => {
    hasGateway = false;
    await work(open(await begin()));
    expect(queue.delays).toEqual([2]);
  });
});

describe('asking about a payment', () => {
  it('settles it by what the gateway says', async () => {
    const found = await begin();
    script.answer(found.payment.id, paidAnswer(found.payment));
    await work({ kind: 'resolve', ...jobOf(found) });
    expect(await now(found)).toMatchObject({
      session: { status: 'COMPLETED', paymentStatus: 'SUCCEEDED' },
      payment: { status: 'SUCCEEDED', transactionId: `trx-${found.payment.id}` },
    });
    await work({ kind: 'resolve', ...jobOf(found) });
    expect(script.calls()).toEqual(['query']);
  });

  it('holds money of another amount, and rings for a person', async () => {
    const found = await begin();
    script.answer(found.payment.id, { ...paidAnswer(found.payment), amountMinor: 1 });
    const lines = await linesOf(() => work({ kind: 'resolve', ...jobOf(found) }));
    expect(await now(found)).toMatchObject({
      session: { status: 'OPEN', paymentStatus: 'PENDING' },
      payment: { status: 'PENDING', mark: 'held' },
    });
    expect(lines).toMatchObject([{ level: 'error', needsPerson: true, paymentId: found.payment.id }]);
  });

  it('rings for a payment when it is held, perhaps for each run that does it at once, and not when it is asked about later', async () => {
    const found = await begin();
    script.answer(found.payment.id, { ...paidAnswer(found.payment), amountMinor: 1 });
    const ask: PaymentJob = { kind: 'resolve', ...jobOf(found) };
    const lines = await linesOf(() => Promise.all([work(ask), work(ask), work(ask)]));
    expect(lines.length).toBeGreaterThanOrEqual(1);
    for (const line of lines) expect(line).toMatchObject({ needsPerson: true, paymentId: found.payment.id });
    const later = await linesOf(async () => {
      await work(ask, { kind: 'confirm', ...jobOf(found), attempt: 1 });
      nowMs = found.session.expiresMs + hourMs;
      await work(ask, { kind: 'expire', account: account.ref.id, session: found.session.id }, ask);
    });
    expect(later).toEqual([]);
    expect(await now(found)).toMatchObject({
      session: { status: 'EXPIRED', paymentStatus: 'EXPIRED', livePaymentId: undefined },
      payment: { status: 'PENDING', mark: 'held' },
    });
  });

  it('settles it also by a job of the release before, which does not name its account', async () => {
    const found = await begin();
    script.answer(found.payment.id, paidAnswer(found.payment));
    await work(paymentJob.parse({ kind: 'resolve', session: found.session.id, payment: found.payment.id }));
    expect((await now(found)).payment.status).toBe('SUCCEEDED');
  });

  it('settles it once for three concurrent jobs', async () => {
    const found = await begin();
    script.answer(found.payment.id, paidAnswer(found.payment));
    await Promise.all(Array.from({ length: 3 }, () => work({ kind: 'resolve', ...jobOf(found) })));
    expect((await now(found)).payment).toMatchObject({ status: 'SUCCEEDED', mark: undefined });
    expect(await world.refunds.list(found)).toEqual([]);
  });

  it('a check brings the next one until the payment has succeeded, also when it has failed meanwhile', async () => {
    const found = await begin();
    const { createdMs, id } = found.payment;
    nowMs = createdMs + 15_000;
    await work({ kind: 'resolve', ...jobOf(found), check: 0 });
    script.answer(id, { state: 'failed' });
    nowMs = createdMs + 45_000;
    await workQueued();
    expect((await now(found)).payment.status).toBe('FAILED');
    expect(queue.jobs).toEqual([{ kind: 'resolve', ...jobOf(found), check: 2 }]);
    expect(queue.delays).toEqual([30, 75]);
    script.answer(id, paidAnswer(found.payment));
    nowMs = createdMs + 120_000;
    await workQueued();
    expect((await now(found)).payment).toMatchObject({ status: 'SUCCEEDED', mark: 'surplus' });
    expect(queue.jobs).toEqual([]);
  });

  it('a hint brings no checks, and an unknown payment nothing', async () => {
    const found = await begin();
    await work({ kind: 'resolve', ...jobOf(found) });
    await work({ kind: 'resolve', ...jobOf(found), payment: newId(nowMs), check: 0 });
    expect(queue.jobs).toEqual([]);
  });

  it('spares a gateway that hangs the polls, but for one a minute, and keeps what else is asked of it', async () => {
    const all = await Promise.all(Array.from({ length: 8 }, () => begin()));
    let asked = 0;
    const findAdapter = async () => script.gateway;
    const resolver = paymentResolver({ ...world, findAdapter, addresses: checkoutAddresses('https://pay.example') });
    const query = async () => {
      asked += 1;
      nowMs += 20_000;
      return { state: 'unknown' } as const;
    };
    const worker = workPayments({
      ...{ ...world, findAdapter, addresses: checkoutAddresses('https://pay.example'), paymentsQueue: queue },
      ...{ resolver: { ...resolver, query }, workRefund: async () => 'over' as const, simulatorSeconds: 60 },
      lifetimeSeconds: 86_400,
      clock: () => nowMs,
    });
    const callsFor = async (more: { readonly isPoll?: boolean; readonly check?: number }): Promise<number> => {
      const before = asked;
      await worker(
        all.map((found) => ({ kind: 'resolve', ...jobOf(found), ...more })),
        guard,
      );
      return asked - before;
    };
    expect(await callsFor({ isPoll: true })).toBe(5);
    expect(await callsFor({ isPoll: true })).toBe(0);
    expect(await callsFor({ check: 0 })).toBe(8);
    expect(await callsFor({})).toBe(8);
    nowMs += 60_000;
    expect(await callsFor({ isPoll: true })).toBe(1);
  });

  it('concludes nothing without a gateway', async () => {
    hasGateway = false;
    const found = await begin();
    await work({ kind: 'resolve', ...jobOf(found) });
    expect(await now(found)).toMatchObject({ payment: { status: 'PENDING' }, session: { status: 'OPEN' } });
  });

  it('rings for a person when the last check of a payment that the payer may have made has no usable answer, or finds it undecided', async () => {
    const visited = await begunPayment(world, account, {}, 'sslcommerz');
    await work({ kind: 'open', ...jobOf(visited), attempt: 1 });
    const unopened = await begunPayment(world, account, {}, 'sslcommerz');
    const unconfirmed = await begin();
    await work({ kind: 'open', ...jobOf(unconfirmed), attempt: 1 });
    const all = [visited, unopened, unconfirmed];
    const ask = () => linesOf(() => work(...all.map((found) => ({ kind: 'resolve', ...jobOf(found) }) as const)));
    for (const { payment } of all) script.answer(payment.id, { state: 'unknown', code: 'INVALID_REQUEST' });
    nowMs = Date.now() + 24 * hourMs;
    expect(await ask()).toEqual([]);
    nowMs += 48 * hourMs;
    const alarm = { level: 'error', needsPerson: true, orderNumber: orderNumberOf(visited.payment.id) };
    expect(await ask()).toMatchObject([alarm]);
    for (const { payment } of all) script.answer(payment.id, { state: 'pending', isUndecided: true });
    expect(await ask()).toMatchObject([alarm]);
    for (const { payment } of all) script.answer(payment.id, { state: 'pending' });
    expect(await ask()).toEqual([]);
  });
});

it('judges money by when the gateway answers: a session that readers saw expire meanwhile stays expired', async () => {
  const slowly =
    <Asked extends unknown[], Said>(call: (...asked: Asked) => Promise<Said>) =>
    async (...asked: Asked): Promise<Said> => {
      nowMs += 15_000;
      return call(...asked);
    };
  const gateway = { ...script.gateway, query: slowly(script.gateway.query), confirm: slowly(script.gateway.confirm) };
  const findAdapter = async () => gateway;
  const resolver = paymentResolver({ ...world, findAdapter, addresses: checkoutAddresses('https://pay.example') });
  for (const kind of ['resolve', 'confirm'] as const) {
    const found = await begin();
    script.answer(found.payment.id, paidAnswer(found.payment));
    nowMs = endsMs(found.session) - 10_000;
    await workWith({ findAdapter, resolver }, paymentJob.parse({ kind, ...jobOf(found) }));
    expect(nowMs).toBe(endsMs(found.session) + 5_000);
    expect(await now(found)).toMatchObject({
      session: { status: 'EXPIRED', paymentStatus: 'EXPIRED' },
      payment: { status: 'SUCCEEDED', mark: 'surplus' },
    });
    expect(await world.refunds.list(found)).toMatchObject([{ amountMinor: 600_000, isAutomatic: true }]);
  }
});

describe('surplus money', () => {
  const expired = async (owner: TestAccount) => {
    const found = await begunPayment(world, owner, {}, 'bkash');
    await world.payments.saveSettlement(found, {
      payment: { ...found.payment, status: 'EXPIRED' },
      session: { status: 'EXPIRED', paymentStatus: 'EXPIRED', livePaymentId: undefined },
      refund: undefined,
    });
    script.answer(found.payment.id, paidAnswer(found.payment));
    await work({ kind: 'resolve', ...jobOf(found) });
    return now(found);
  };

  it('is refunded automatically, once', async () => {
    const found = await expired(account);
    expect(found).toMatchObject({
      session: { status: 'EXPIRED' },
      payment: { status: 'SUCCEEDED', mark: 'surplus', refundableMinor: 0 },
    });
    expect(await world.refunds.list(found)).toMatchObject([
      { amountMinor: 600_000, isAutomatic: true, status: 'PENDING' },
    ]);
  });

  it('completes the session where the account accepts that', async () => {
    const owner = await world.newAccount({
      settings: { checkout: { acceptsLatePayments: true, sendsReceipts: false } },
    });
    const found = await expired(owner);
    expect(found).toMatchObject({
      session: { status: 'COMPLETED', paymentStatus: 'SUCCEEDED' },
      payment: { status: 'SUCCEEDED', mark: 'late', refundableMinor: 600_000 },
    });
    expect(await world.refunds.list(found)).toEqual([]);
  });
});

describe('money for a payment that the gateway had reported as expired', () => {
  const expired = async () => {
    const found = await begin();
    script.answer(found.payment.id, { state: 'expired' });
    await work({ kind: 'resolve', ...jobOf(found) });
    script.answer(found.payment.id, paidAnswer(found.payment));
    return now(found);
  };

  it('completes the open session', async () => {
    const found = await expired();
    expect(found).toMatchObject({ session: { status: 'OPEN' }, payment: { status: 'EXPIRED' } });
    await work({ kind: 'resolve', ...jobOf(found) });
    expect(await now(found)).toMatchObject({
      session: { status: 'COMPLETED', paymentStatus: 'SUCCEEDED' },
      payment: { status: 'SUCCEEDED', mark: undefined, refundableMinor: 600_000 },
    });
    expect(await world.refunds.list(found)).toEqual([]);
  });

  it('goes back where another payment begins at the same moment, and is faster', async () => {
    for (let n = 0; n < 5; n += 1) {
      const found = await expired();
      const another = pendingPayment(found.session);
      const [added] = await Promise.all([
        world.payments.add(found, another),
        work({ kind: 'resolve', ...jobOf(found) }),
      ]);
      const { session, payment } = await now(found);
      expect([session.status, session.livePaymentId, payment.mark]).toEqual(
        added === 'added' ? ['OPEN', another.id, 'surplus'] : ['COMPLETED', undefined, undefined],
      );
      expect(await world.refunds.list(found)).toHaveLength(added === 'added' ? 1 : 0);
    }
  });
});

describe('confirming a payment', () => {
  const confirm = (found: FoundPayment, returned?: 'success' | 'cancel'): PaymentJob => ({
    kind: 'confirm',
    ...jobOf(found),
    ...{ returned, returnedMs: nowMs },
    attempt: 1,
  });

  it('is done once, of any number of returns; the others only ask', async () => {
    const found = await begin();
    script.confirm(paidAnswer(found.payment));
    script.answer(found.payment.id, paidAnswer(found.payment));
    await Promise.all(Array.from({ length: 3 }, () => work(confirm(found, 'success'))));
    await work(confirm(found, 'success'));
    expect(script.calls().filter((call) => call === 'confirm')).toHaveLength(1);
    expect((await now(found)).payment).toMatchObject({
      status: 'SUCCEEDED',
      confirmationClaim: { token: expect.any(String) },
    });
    const order = script.asked.find(({ call }) => call === 'confirm');
    expect([order?.order.confirmationAttempted, order?.parameters]).toEqual([false, { status: 'success' }]);
  });

  it('asks what has become of it when the answer is lost', async () => {
    const found = await begin();
    script.confirm({ state: 'unknown' });
    script.answer(found.payment.id, paidAnswer(found.payment));
    await work(confirm(found, 'success'));
    expect([script.calls(), queue.delays]).toEqual([['confirm'], [61]]);
    await workQueued();
    expect(script.calls()).toEqual(['confirm', 'query']);
    expect(script.asked[1]?.order.confirmationAttempted).toBe(true);
    expect((await now(found)).payment.status).toBe('SUCCEEDED');
  });

  it.each([{ state: 'pending' }, { state: 'unknown', mayRetry: true }] as const)(
    'gives the claim back and tries again when nothing was confirmed, for half an hour, then logs it: %o',
    async (nothing) => {
      const [found, waits] = [await begin(), [5, 15, 45, 120, 300, 900]];
      script.confirm(nothing, ...waits.map(() => nothing));
      const lines = await linesOf(async () => {
        await work(confirm(found, 'success'));
        for (let n = 0; n < waits.length; n += 1) await workQueued();
      });
      expect([queue.delays, queue.jobs]).toEqual([waits, []]);
      expect(lines).toMatchObject([{ level: 'warn', paymentId: found.payment.id }]);
      expect((await now(found)).payment).toMatchObject({ status: 'PENDING', confirmationClaim: undefined });
    },
  );

  it('is taken up again by a check when all attempts are over, because the gateway could not be reached', async () => {
    const found = await begin();
    const check = { kind: 'resolve', ...jobOf(found) } as const;
    script.confirm(...Array.from({ length: 7 }, () => ({ state: 'unknown', mayRetry: true }) as const));
    await work(confirm(found, 'success'));
    for (let n = 0; n < 6; n += 1) await workQueued();
    nowMs += 26 * minuteMs;
    await work(check);
    expect(queue.jobs).toEqual([]);
    nowMs += minuteMs;
    await work(check);
    expect(queue.jobs).toEqual([{ kind: 'confirm', ...jobOf(found), attempt: 1, returnedMs: nowMs }]);
    script.confirm(paidAnswer(found.payment));
    await workQueued();
    expect((await now(found)).payment.status).toBe('SUCCEEDED');
  });

  it('is taken up again by no check where its payer has not returned', async () => {
    const found = await begin();
    nowMs += 30 * minuteMs;
    await work({ kind: 'resolve', ...jobOf(found) });
    expect(queue.jobs).toEqual([]);
  });

  it('takes no claim for a payer who comes back without having agreed', async () => {
    const found = await begin();
    script.confirm({ state: 'cancelled' });
    await work(confirm(found, 'cancel'));
    expect((await now(found)).payment).toMatchObject({
      status: 'FAILED',
      mark: 'cancelled',
      confirmationClaim: undefined,
    });
  });

  it('makes nothing final that has ended, or whose time is up', async () => {
    const [ended, old] = [await begin(), await begin()];
    script.answer(ended.payment.id, { state: 'failed' });
    await work({ kind: 'resolve', ...jobOf(ended) }, confirm(ended, 'success'));
    nowMs += 2 * hourMs;
    await work(confirm(old, 'success'));
    expect(script.calls()).not.toContain('confirm');
    expect(await now(old)).toMatchObject({ payment: { status: 'EXPIRED' }, session: { status: 'EXPIRED' } });
  });
});

describe('watching a new payment', () => {
  it.each([
    ['bkash', 600_000, 15],
    ['sim_card', 600_000, 15],
    ['sim_card', 1_002, 15],
    ['sim_card', 1_004, 4],
  ])('plans the first check of a payment by %s of %i after %i s', async (gateway, amountMinor, seconds) => {
    const found = await begunPayment(world, account, { amountMinor }, gateway);
    nowMs = found.payment.createdMs;
    await work({ kind: 'watch', ...jobOf(found) });
    expect(queue.jobs).toEqual([{ kind: 'resolve', ...jobOf(found), check: 0 }]);
    expect(queue.delays).toEqual([seconds]);
  });
});

describe('expiring a session', () => {
  const expire = ({ id }: CheckoutSession): PaymentJob => ({ kind: 'expire', account: account.ref.id, session: id });

  it('writes what is read already, and nothing early', async () => {
    const session = openSession(account.ref.id);
    await world.sessions.create(account.ref, session, { idempotencyKey: undefined, nowMs });
    await work(expire(session));
    expect((await world.sessions.find(session.id))?.session.status).toBe('OPEN');
    nowMs = session.expiresMs;
    await work(expire(session), expire(session));
    expect((await world.sessions.find(session.id))?.session).toMatchObject({
      status: 'EXPIRED',
      paymentStatus: 'PENDING',
    });
  });

  it('waits for the payment under way, 30 min at most, asks a last time, then both are EXPIRED', async () => {
    const found = await begin();
    nowMs = found.session.expiresMs;
    await work(expire(found.session));
    expect(script.calls()).toEqual([]);
    nowMs += hourMs / 2;
    await work(expire(found.session));
    expect(script.calls()).toEqual(['query']);
    expect(await now(found)).toMatchObject({
      session: { status: 'EXPIRED', paymentStatus: 'EXPIRED', livePaymentId: undefined },
      payment: { status: 'EXPIRED' },
    });
  });

  it('leaves a completed session alone', async () => {
    const found = await begin();
    script.answer(found.payment.id, paidAnswer(found.payment));
    await work({ kind: 'resolve', ...jobOf(found) });
    nowMs = found.session.expiresMs + hourMs;
    await work(expire(found.session));
    expect((await now(found)).session.status).toBe('COMPLETED');
  });
});

describe('a refund', () => {
  it('is worked on, and asked about again as long as it is open', async () => {
    refundOutcomes = ['open'];
    const refund = newId(nowMs);
    await work({ kind: 'refund', account: 'a', session: 's', refund });
    expect(queue.jobs).toEqual([{ kind: 'refund', account: 'a', session: 's', refund, check: 0 }]);
    expect(queue.delays).toEqual([15]);
    await workQueued();
    expect(queue.jobs).toEqual([]);
  });

  it('that is open after a month is left to a person', async () => {
    refundOutcomes = ['open'];
    const refund = newId(nowMs - 31 * 24 * hourMs);
    const lines = await linesOf(() => work({ kind: 'refund', account: 'a', session: 's', refund }));
    expect(lines).toMatchObject([{ needsPerson: true, sessionId: 's', refundId: refund }]);
    expect(queue.jobs).toEqual([]);
  });
});
