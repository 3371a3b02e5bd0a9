import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { begunPayment, openSession, pendingPayment } from '../../../test/checkout-fixture.ts';
import { countConsumption } from '../../../test/consumption.ts';
import { startWorld, type TestAccount, type World } from '../../../test/world.ts';
import { refusalOf } from '../../checkout/begin-payment.ts';
import { type FoundPayment, type Payment, paidDigest } from '../../checkout/payment.ts';
import type { CheckoutSession, FoundSession } from '../../checkout/session.ts';
import type { Settlement } from '../../checkout/settlement.ts';
import { newId } from '../../kit/id.ts';

const pollMs = 5_000;

let world: World;
let account: TestAccount;
beforeAll(async () => {
  world = await startWorld();
  account = await world.newAccount();
});
afterAll(() => world.close());

const create = async (wishes: Partial<CheckoutSession> = {}) => {
  const session = openSession(account.ref.id, wishes);
  await world.sessions.create(account.ref, session, { idempotencyKey: undefined, nowMs: Date.now() });
  return { account: account.ref, session };
};
/** What becomes of adding a payment: `added`, or the code of the refusal. */
const outcomeOf = async (found: FoundSession, payment: Payment): Promise<string> => {
  const added = await world.payments.add(found, payment);
  return added === 'added' ? added : refusalOf(found.session, added, payment.createdMs).code;
};
const now = async ({ session, payment }: FoundPayment) => {
  const found = await world.payments.find(session.id, payment.id);
  if (!found) throw new Error('the payment is gone');
  return found;
};
const failed: Settlement = {
  payment: {
    status: 'FAILED',
    mark: undefined,
    refundableMinor: 0,
    reference: undefined,
    transactionId: undefined,
    lastAnswer: { state: 'failed', code: 'c', reason: 'Ada has no money', at: '2026-11-20T12:00:00.000Z' },
    review: undefined,
  },
  session: { status: 'OPEN', paymentStatus: 'FAILED', livePaymentId: undefined },
  refund: undefined,
};

describe('a session', () => {
  it('is found as it was kept, with its account', async () => {
    const { session } = await create({ chaos: 'late_success', cancelUrl: 'https://shop.example/', invoiceId: 'i' });
    expect(await world.sessions.find(session.id)).toEqual({ account: account.ref, session });
  });

  it('expires once its time is up and no payment is under way', async () => {
    const [plain, waiting] = [await create(), await begunPayment(world, account)];
    const { expiresMs } = plain.session;
    expect(await world.sessions.expire(plain.session, expiresMs - 1)).toBe(false);
    expect(await world.sessions.expire(plain.session, expiresMs)).toBe(true);
    expect(await world.sessions.expire(plain.session, expiresMs)).toBe(false);
    expect(await world.sessions.expire(waiting.session, waiting.session.expiresMs + 1)).toBe(false);
  });

  it('is given chaos in test mode only', async () => {
    const [test, live] = [await create(), await create({ livemode: true })];
    expect(await world.sessions.setChaos(test.session.id, 'tampered_amount')).toBe(true);
    expect((await world.sessions.find(test.session.id))?.session.chaos).toBe('tampered_amount');
    expect(await world.sessions.setChaos(test.session.id, undefined)).toBe(true);
    expect((await world.sessions.find(test.session.id))?.session.chaos).toBeUndefined();
    for (const id of [live.session.id, newId(Date.now()), 'x'])
      expect(await world.sessions.setChaos(id, 'tampered_amount')).toBe(false);
  });
});

describe('beginning a payment', () => {
  it('makes it the one under way, findable by its id alone', async () => {
    const found = await begunPayment(world, account);
    expect(found.session).toMatchObject({ livePaymentId: found.payment.id, paymentStatus: 'PENDING', paymentCount: 1 });
    expect(await world.payments.findById(found.payment.id)).toEqual(found);
    for (const id of [newId(Date.now()), 'x']) expect(await world.payments.findById(id)).toBeUndefined();
  });

  it.each<[Partial<CheckoutSession>, string]>([
    [{}, 'added'],
    [{ paymentCount: 9 }, 'added'],
    [{ paymentCount: 10 }, 'session_not_open'],
    [{ expiresMs: 0 }, 'session_not_open'],
    [{ status: 'COMPLETED' }, 'session_not_open'],
    [{ status: 'EXPIRED' }, 'session_not_open'],
    [{ livePaymentId: 'another' }, 'payment_in_progress'],
    [{ livePaymentId: 'another', status: 'EXPIRED' }, 'session_not_open'],
  ])('with %o: %s', async (wishes, outcome) => {
    const found = await create(wishes);
    const payment = pendingPayment(found.session);
    expect(await outcomeOf(found, payment)).toBe(outcome);
    expect((await world.payments.find(found.session.id, payment.id)) !== undefined).toBe(outcome === 'added');
    expect((await world.payments.findById(payment.id)) !== undefined).toBe(outcome === 'added');
  });

  it('lets one of fifty in', async () => {
    const found = await create();
    const begin = () => outcomeOf(found, pendingPayment(found.session));
    const outcomes = await Promise.all(Array.from({ length: 50 }, begin));
    expect(outcomes.filter((outcome) => outcome === 'added')).toHaveLength(1);
    expect(outcomes.filter((outcome) => outcome === 'payment_in_progress')).toHaveLength(49);
  });
});

describe('settling', () => {
  it('writes payment, session and refund together, and only what was read', async () => {
    const found = await begunPayment(world, account);
    expect(await world.payments.saveSettlement(found, failed)).toBe(true);
    const after = await now(found);
    expect(after).toMatchObject({ payment: failed.payment, session: { ...failed.session, paymentCount: 1 } });
    expect(await world.payments.saveSettlement(found, failed)).toBe(false);
    const again = pendingPayment(after.session);
    await world.payments.add(after, again);
    const stale = { ...after, payment: again };
    const completed: Settlement = { ...failed, payment: { ...failed.payment, status: 'SUCCEEDED' } };
    expect(await world.payments.saveSettlement(stale, completed)).toBe(false);
    expect((await now(stale)).payment.status).toBe('PENDING');
  });

  it('lets one of ten win', async () => {
    const found = await begunPayment(world, account);
    const outcomes = await Promise.all(Array.from({ length: 10 }, () => world.payments.saveSettlement(found, failed)));
    expect(outcomes.filter(Boolean)).toHaveLength(1);
  });

  it('stores the gateway’s answer, tokens and URLs encrypted only', async () => {
    const found = await begunPayment(world, account);
    const opening = { redirectUrl: 'https://gateway.example/pay', reference: 'TRX-9' };
    expect([
      await world.payments.saveOpening(found, opening),
      await world.payments.saveOpening(found, opening),
    ]).toEqual([true, false]);
    expect((await now(found)).payment).toMatchObject(opening);
    await world.payments.saveSettlement(found, failed);
    expect(await world.payments.saveOpening(found, opening)).toBe(false);
    const lying = JSON.stringify((await world.scan()).filter(({ payment }) => payment === found.payment.id));
    expect(lying.length).toBeGreaterThan(200);
    for (const word of ['gateway.example', 'TRX-9', 'Ada', found.payment.returnToken])
      expect(lying).not.toContain(`"${word}`);
  });
});

describe('what a gateway has reported paid', () => {
  it('is known of the latest hundred transactions at most, so that the row of a payment does not grow', async () => {
    const found = await begunPayment(world, account);
    const report = async (transactionId: string) =>
      world.payments.noteReportedPaid((await now(found)).payment, transactionId, Date.now());
    for (let n = 1; n <= 100; n += 1) await report(`B${n}`);
    expect((await now(found)).payment.reportedPaid.size).toBe(100);
    for (const transactionId of ['B101', 'B102', 'B102']) await report(transactionId);
    const { payment } = await now(found);
    expect(payment.reportedPaid).toEqual(new Set(['B101', 'B102'].map((each) => paidDigest(payment, each))));
  });
});

describe('the right to ask a gateway', () => {
  it('for a poll is given once in five seconds, to one of any concurrent callers', async () => {
    const found = await begunPayment(world, account);
    const nowMs = Date.now();
    const ask = (atMs: number) => world.payments.claimPoll(found, atMs);
    const asked = await Promise.all(Array.from({ length: 20 }, () => ask(nowMs)));
    expect(asked.filter(Boolean)).toHaveLength(1);
    expect([await ask(nowMs + pollMs - 1), await ask(nowMs + pollMs)]).toEqual([false, true]);
  });

  it('for a poll that comes too soon is refused without a write', async () => {
    const { session, payment } = await begunPayment(world, account);
    const nowMs = Date.now();
    await world.payments.claimPoll({ payment }, nowMs);
    const polled = await world.payments.find(session.id, payment.id);
    if (!polled) throw new Error('the payment is gone');
    let writes = 0;
    const stop = world.calls.tap('no-write', (next) => async (name, input) => {
      if (name === 'UpdateItem') writes += 1;
      return next(name, input);
    });
    const asked = [
      await world.payments.claimPoll(polled, nowMs + pollMs - 1),
      await world.payments.claimPoll(polled, nowMs + pollMs),
    ];
    stop();
    expect([asked, writes]).toEqual([[false, true], 1]);
  });

  it('to confirm is given once, until its holder gives it back', async () => {
    const { payment } = await begunPayment(world, account);
    const claim = () => world.payments.claimConfirmation(payment, Date.now());
    const [held, ...others] = (await Promise.all(Array.from({ length: 20 }, claim))).filter((each) => each);
    if (!held) throw new Error('no run has the claim');
    expect(others).toEqual([]);
    expect(await world.payments.releaseConfirmation(payment, { ...held, token: 'another' })).toBe(false);
    expect(await claim()).toBeUndefined();
    expect(await world.payments.releaseConfirmation(payment, held)).toBe(true);
    expect([await claim(), await claim()]).toEqual([expect.anything(), undefined]);
  });

  it('to confirm is known to its holder, also where a poll comes between its lost answer and its repetition', async () => {
    const found = await begunPayment(world, account);
    let lost = 0;
    const stop = world.calls.tap('poll-meanwhile', (next) => async (name, input) => {
      const answer = await next(name, input);
      if (!JSON.stringify(input).includes('claimedUntil') || lost > 0) return answer;
      lost += 1;
      expect(await world.payments.claimPoll(found, Date.now())).toBe(true);
      throw Object.assign(new Error('socket hang up'), { code: 'ECONNRESET' });
    });
    const claim = await world.payments.claimConfirmation(found.payment, Date.now());
    stop();
    expect([lost, (await now(found)).payment.confirmationClaim]).toEqual([1, claim]);
  });

  it('to confirm fences: what a run says that has lost it, or has not seen it taken, is not written', async () => {
    const before = await begunPayment(world, account);
    const failed = { payment: { ...before.payment, status: 'FAILED' as const }, session: undefined, refund: undefined };
    const claim = await world.payments.claimConfirmation(before.payment, Date.now());
    expect(await world.payments.saveSettlement(before, failed)).toBe(false);
    const held = (token: string) => ({
      ...before,
      payment: { ...before.payment, confirmationClaim: { token, untilMs: 0 } },
    });
    expect(await world.payments.saveSettlement(held('lost'), failed)).toBe(false);
    expect(await world.payments.saveSettlement(held(claim?.token ?? ''), failed)).toBe(true);
    expect(await world.payments.claimConfirmation(before.payment, Date.now())).toBeUndefined();
  });
});

describe('an account’s payments', () => {
  it('come newest first, page by page, and no other account’s', async () => {
    const owner = await world.newAccount();
    const ids: string[] = [];
    for (let n = 0; n < 5; n += 1) ids.unshift((await begunPayment(world, owner)).payment.id);
    ids.sort().reverse();
    const page = async (cursor: string | undefined) =>
      (await world.payments.listOfAccount(owner.ref, {}, { cursor, limit: 2 })).page.map(({ payment }) => payment.id);
    expect([await page(undefined), await page(ids[1]), await page(ids[3])]).toEqual([
      ids.slice(0, 2),
      ids.slice(2, 4),
      ids.slice(4),
    ]);
    expect(
      (await world.payments.listOfAccount((await world.newAccount()).ref, {}, { cursor: undefined, limit: 10 })).page,
    ).toEqual([]);
  });
});

it('costs few calls and units', async () => {
  const { of } = countConsumption(world.calls);
  const session = openSession(account.ref.id);
  const found = { account: account.ref, session };
  const payment = pendingPayment(session);
  const { ref } = account;
  const costs = {
    create: await of(() => world.sessions.create(ref, session, { idempotencyKey: undefined, nowMs: Date.now() })),
    find: await of(() => world.sessions.find(session.id)),
    begin: await of(() => world.payments.add(found, payment)),
    settle: await of(() =>
      world.payments.saveSettlement({ ...found, session: { ...session, livePaymentId: payment.id }, payment }, failed),
    ),
  };
  expect(costs).toEqual({
    find: { calls: 1, units: 1 },
    // One unit of each is the session's place in the index, and two its entry in the account's list.
    create: { calls: 1, units: 5 },
    begin: { calls: 1, units: 11 },
    settle: { calls: 1, units: 6 },
  });
});
