import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { begunPayment, fullSize, openSession, pendingPayment } from '../../../test/checkout-fixture.ts';
import { countConsumption } from '../../../test/consumption.ts';
import { merchantCalls } from '../../../test/merchant-calls.ts';
import { pageCalls, paymentIn } from '../../../test/page-calls.ts';
import { startWorld, type TestAccount, type World } from '../../../test/world.ts';
import { paymentEvent, sessionEvent } from '../../checkout/events.ts';
import type { CheckoutSession } from '../../checkout/session.ts';
import { Unavailable } from '../../kit/fault.ts';
import { newId } from '../../kit/id.ts';
import { itemKeys } from '../keys.ts';
import { type SessionStore, sessionStore } from './session-store.ts';

let world: World;
let account: TestAccount;
let consumption: ReturnType<typeof countConsumption>;
beforeAll(async () => {
  world = await startWorld();
  account = await world.newAccount();
  consumption = countConsumption(world.calls);
});
afterAll(() => world.close());

const create = async (wishes: Partial<CheckoutSession> = fullSize) => {
  const session = openSession(account.ref.id, wishes);
  await world.sessions.create(account.ref, session, { idempotencyKey: undefined, nowMs: Date.now() });
  return { account: account.ref, session };
};
const rowOf = (id: string) => world.table.get(itemKeys.checkoutSession(id));
const bodyOf = (id: string) => world.table.get(itemKeys.sessionBody(id));

/** Lays a session as the release before did: all in one item. */
const layTogether = async (id: string) => {
  const [row, body] = [await rowOf(id), await bodyOf(id)];
  await world.table.put({ Item: { ...row, details: body?.['details'] } });
  await world.table.remove(itemKeys.sessionBody(id));
};

describe('what a session and its begun payment cost', () => {
  const writtenFor = async (wishes: Partial<CheckoutSession>) =>
    (await consumption.split(() => begunPayment(world, account, wishes))).written;

  it('is written at its size once, and its row and its row in the index of all accounts stay small', async () => {
    expect({
      small: await writtenFor({}),
      withMetadata: await writtenFor({ metadata: fullSize.metadata }),
      fullSize: await writtenFor(fullSize),
    }).toEqual({ small: 16, withMetadata: 68, fullSize: 250 });
  });

  it('is one read of a small session, and one more for all large ones of a page together', async () => {
    const [small, large] = [await create({}), await create()];
    const reading = async (id: string) => (await consumption.of(() => world.sessions.find(id))).calls;
    expect([await reading(small.session.id), await reading(large.session.id)]).toEqual([1, 2]);
    const listing = async (wishes: Partial<CheckoutSession>) => {
      account = await world.newAccount();
      // A partition of the list that happened to have nine of a page would be read twice.
      for (let n = 0; n < 8; n += 1) await create(wishes);
      const list = () =>
        world.sessions.listOfAccount(account.ref, { livemode: false }, { cursor: undefined, limit: 20 }, () => true);
      return (await consumption.of(list)).calls;
    };
    expect((await listing(fullSize)) - (await listing({}))).toBe(1);
  });
});

describe('a large session', () => {
  it.each([
    ['just small enough for its row', 'd'.repeat(800)],
    ['just too large for it', 'd'.repeat(1_000)],
  ])('is found as it was kept when it is %s', async (_, description) => {
    const { session } = await create({ description, ...{ invoiceId: 'i', cancelUrl: 'https://shop.example/' } });
    expect(await world.sessions.find(session.id)).toEqual({ account: account.ref, session });
  });

  it('gives every answer as if it were one item, as the release before laid it', async () => {
    const pages = pageCalls(world);
    const { ref, key, methodIds } = await pages.newMerchant();
    const secret = merchantCalls(world);
    const metadata = JSON.parse(fullSize.metadata.text);
    const wishes = { ...fullSize, metadata, description: 'Order 1042', invoiceId: 'INV-1' };
    const created = await pages.create(key, wishes, { 'idempotency-key': 'order-1042' });
    const { id } = created.body.data;
    const payment = paymentIn(await pages.tap(id, { acceptanceMethodId: methodIds[0] ?? '' }));
    const refund = (await secret.refund(key, payment, { amountMinor: 100 })).body.data.id;
    const answers = async () => {
      const found = await world.payments.find(id, payment);
      if (!found) throw new Error('the payment is gone');
      return {
        replay: (await pages.create(key, wishes, { 'idempotency-key': 'order-1042' })).body,
        payer: (await pages.view(id)).body,
        retrieved: (await secret.getSession(key, id)).body,
        listed: (await secret.listSessions(key)).body,
        payment: (await secret.getPayment(key, payment)).body,
        payments: (await secret.listPayments(key, { invoiceId: 'INV-1' })).body,
        refund: (await world.refunds.find(id, refund))?.session,
        page: (await pages.show(id)).text,
        result: (await pages.result(id)).text,
        events: [
          paymentEvent('payment.succeeded', found.payment, found.session.metadata, 0),
          sessionEvent('checkout_session.expired', found.session, 0),
        ],
      };
    };
    const apart = await answers();
    expect(apart.retrieved.data).toMatchObject(wishes);
    expect(apart.listed.data).toEqual([apart.retrieved.data]);
    expect(apart.page).toContain('Book 8');
    expect(await bodyOf(id)).toMatchObject({ account: ref.id, session: id });
    await layTogether(id);
    expect(await bodyOf(id)).toBeUndefined();
    expect(JSON.stringify(await answers())).toBe(JSON.stringify(apart));
  });

  it('of the release before goes on as it is', async () => {
    const found = await create();
    await layTogether(found.session.id);
    expect(await world.payments.add(found, pendingPayment(found.session))).toBe('added');
    expect((await world.sessions.find(found.session.id))?.session).toMatchObject(fullSize);
    const unpaid = await create();
    await layTogether(unpaid.session.id);
    expect(await world.sessions.expire(unpaid.session, unpaid.session.expiresMs)).toBe(true);
    expect(await bodyOf(unpaid.session.id)).toBeUndefined();
  });

  it('is created once by parallel requests with one idempotency key', async () => {
    const wishes = { idempotencyKey: newId(Date.now()), nowMs: Date.now() };
    const made = await Promise.all(
      Array.from({ length: 5 }, () =>
        world.sessions.create(account.ref, openSession(account.ref.id, fullSize), wishes),
      ),
    );
    expect(made.filter(({ isReplay }) => !isReplay)).toHaveLength(1);
    const [first] = made;
    for (const { session } of made) expect(session).toEqual(first?.session);
  });

  it('is to be asked for again where its idempotency key is there, and it cannot be read yet', async () => {
    const wishes = { idempotencyKey: newId(Date.now()), nowMs: Date.now() };
    const created = await world.sessions.create(account.ref, openSession(account.ref.id), wishes);
    const early = sessionStore({ ...world.table, get: async () => undefined }, world.vault);
    const repeat = (store: SessionStore) => store.create(account.ref, openSession(account.ref.id), wishes);
    await expect(repeat(early)).rejects.toThrow(Unavailable);
    expect((await repeat(world.sessions)).session).toEqual(created.session);
  });

  it('returns with a refused payment what it is now', async () => {
    const found = await create();
    await world.payments.add(found, pendingPayment(found.session));
    expect(await world.payments.add(found, pendingPayment(found.session))).toMatchObject({
      ...{ ...fullSize, paymentCount: 1, livePaymentId: expect.any(String) },
    });
  });
});

describe('how long a large session is kept', () => {
  const kept = async ({ session: { id } }: { readonly session: CheckoutSession }) =>
    [await rowOf(id), await bodyOf(id)].map((item) => item?.['expiresAt']);

  it('it is deleted whole 30 days after it has expired without a payment attempt, and not before', async () => {
    const found = await create();
    const { session } = found;
    expect(await world.sessions.expire(session, session.expiresMs - 1)).toBe(false);
    expect((await kept(found))[1]).toBeUndefined();
    expect(await world.sessions.expire(session, session.expiresMs)).toBe(true);
    const at = Math.ceil(session.expiresMs / 1_000) + 30 * 86_400;
    expect(await kept(found)).toEqual([at, at]);
    expect(await world.sessions.expire(session, session.expiresMs)).toBe(false);
    expect((await rowOf(session.id))?.['GSI1PK']).toBeUndefined();
  });

  it('it stays when a payment of it has begun', async () => {
    const found = await begunPayment(world, account, fullSize);
    const { session } = found;
    const failed = { ...found.payment, status: 'FAILED', refundableMinor: 0 } as const;
    await world.payments.saveSettlement(found, {
      payment: failed,
      session: { status: 'OPEN', paymentStatus: 'FAILED', livePaymentId: undefined },
      refund: undefined,
    });
    expect(await world.sessions.expire(session, session.expiresMs)).toBe(true);
    expect(await kept(found)).toEqual([undefined, undefined]);
    const again = sessionStore({ ...world.table, transact: async () => expect.fail() }, world.vault);
    expect(await again.expire(session, session.expiresMs)).toBe(false);
    expect((await world.sessions.find(session.id))?.session).toMatchObject({ ...fullSize, status: 'EXPIRED' });
  });

  it('it stays when a late request begins a payment while its end is written', async () => {
    const found = await create();
    const { session } = found;
    const update: World['table']['update'] = async (change) => {
      const answer = await world.table.update(change);
      expect(await world.payments.add(found, pendingPayment(session))).toBe('added');
      return answer;
    };
    const late = sessionStore({ ...world.table, update }, world.vault);
    expect(await late.expire(session, session.expiresMs)).toBe(false);
    expect(await kept(found)).toEqual([undefined, undefined]);
    expect((await world.sessions.find(session.id))?.session).toMatchObject({ status: 'OPEN', paymentCount: 1 });
  });

  it('it is gone as soon as one of its items is', async () => {
    const [gone, other] = [await create(), await create()];
    await world.table.remove(itemKeys.sessionBody(gone.session.id));
    expect(await world.sessions.find(gone.session.id)).toBeUndefined();
    const page = { cursor: undefined, limit: 100 };
    const { page: listed } = await world.sessions.listOfAccount(account.ref, {}, page, () => true);
    const ids = listed.map(({ session }) => session.id);
    expect([ids.includes(gone.session.id), ids.includes(other.session.id)]).toEqual([false, true]);
  });
});
