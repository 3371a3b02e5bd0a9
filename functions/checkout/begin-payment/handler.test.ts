import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { beginPaymentOf } from '../../../shared/checkout/begin-payment.ts';
import type { AccountRef } from '../../../shared/kit/account-ref.ts';
import { newId } from '../../../shared/kit/id.ts';
import { dayMs } from '../../../shared/kit/time-units.ts';
import { type CheckoutCalls, checkoutCalls } from '../../../test/checkout-calls.ts';
import { countConsumption } from '../../../test/consumption.ts';
import { linesOf } from '../../../test/log-lines.ts';
import { startWorld, type World } from '../../../test/world.ts';

const bkash = {
  gatewayCode: 'bkash',
  livemode: true,
  credentials: { username: 'u', password: 'p', appKey: 'k', appSecret: 's' },
} as const;
const returnUrls = {
  successUrl: 'https://shop.example/thanks?s={CHECKOUT_SESSION_ID}',
  cancelUrl: 'https://shop.example/cart',
};

let world: World;
let calls: CheckoutCalls;
let nowMs = Date.parse('2026-11-20T12:00:00.000Z');
beforeAll(async () => {
  world = await startWorld();
  calls = checkoutCalls(world, () => nowMs);
});
afterAll(() => world.close());

const begun = async (amountMinor: number, wishes: object = returnUrls, livemode = false) => {
  const { ref, methodIds } = await calls.newMerchant({ methods: livemode ? [bkash] : [{}, { enabled: false }] });
  const key = await world.newCheckoutKey(ref, { livemode });
  const { id } = (await calls.create(key, { amountMinor, ...wishes })).body.data;
  const pay = (methodId: unknown = methodIds[0]) => calls.pay(id, methodId);
  return { ref, id: String(id), methodIds, pay, view: async () => (await calls.view(id)).body.data };
};

describe('POST /v1/public/checkout-sessions/{id}/payments', () => {
  it('201 an instant success sends the payer to successUrl and completes the session', async () => {
    const { id, pay, view } = await begun(600_000);
    const { status, body } = await pay();
    expect([status, body]).toEqual([
      201,
      {
        data: {
          paymentId: expect.stringMatching(/^[0-9a-f-]{36}$/),
          status: 'SUCCEEDED',
          redirectUrl: `https://shop.example/thanks?s=${id}`,
        },
      },
    ]);
    expect(await view()).toMatchObject({ status: 'COMPLETED', paymentStatus: 'SUCCEEDED' });
  });

  it('201 names session and payment in the line of the request', async () => {
    const { id, pay } = await begun(600_000);
    const ids: string[] = [];
    const lines = await linesOf(async () => ids.push((await pay()).body.data.paymentId));
    expect(lines).toContainEqual(expect.objectContaining({ message: 'answered', sessionId: id, paymentId: ids[0] }));
  });

  it('201 a decline sends the payer to cancelUrl, and the session stays open for another attempt', async () => {
    const { pay, view } = await begun(1_001);
    const first = (await pay()).body.data;
    expect(first).toMatchObject({ status: 'FAILED', redirectUrl: 'https://shop.example/cart' });
    expect(await view()).toMatchObject({ status: 'OPEN', paymentStatus: 'FAILED' });
    expect((await pay()).body.data.paymentId).not.toBe(first.paymentId);
  });

  it.each([
    [600_000, 'SUCCEEDED'],
    [1_001, 'FAILED'],
  ])('201 without addresses of the merchant the hosted result page shows %i as %s', async (amountMinor, status) => {
    const { id, pay } = await begun(amountMinor, {});
    expect((await pay()).body.data).toMatchObject({ status, redirectUrl: `https://pay.example/checkout/${id}/result` });
  });

  it.each([1_002, 1_003, 1_004])('201 an amount of %i is PENDING on the waiting screen', async (amountMinor) => {
    const { id, pay } = await begun(amountMinor);
    const { paymentId, status, redirectUrl } = (await pay()).body.data;
    expect([status, redirectUrl]).toEqual(['PENDING', `https://pay.example/checkout/${id}/payments/${paymentId}`]);
  });

  it('201 a real gateway is not called in the request: the payer waits on our screen', async () => {
    const { id, pay } = await begun(600_000, {}, true);
    const { paymentId, status, redirectUrl } = (await pay()).body.data;
    expect([status, redirectUrl]).toEqual(['PENDING', `https://pay.example/checkout/${id}/payments/${paymentId}`]);
    expect((await world.payments.find(id, paymentId))?.payment).toMatchObject({
      gatewayCode: 'bkash',
      livemode: true,
      status: 'PENDING',
      redirectUrl: undefined,
    });
  });

  it('201 for one of 20 concurrent payments, 409 for the others', async () => {
    const { id, pay, view } = await begun(600_000);
    const answers = await Promise.all(Array.from({ length: 20 }, () => pay()));
    const succeeded = answers.filter(({ status }) => status === 201);
    expect(succeeded.map(({ body }) => body.data.status)).toEqual(['SUCCEEDED']);
    for (const { status, body } of answers) {
      if (status !== 201)
        expect([status, ['payment_in_progress', 'session_not_open']]).toEqual([
          409,
          expect.arrayContaining([body.error.code]),
        ]);
    }
    expect(await view()).toMatchObject({ status: 'COMPLETED' });
    expect((await world.sessions.find(id))?.session.paymentCount).toBe(1);
  });

  it('409 payment_in_progress in a second tab while the first waits', async () => {
    const { pay } = await begun(1_002);
    await pay();
    const { status, body } = await pay();
    expect([status, body.error.code]).toEqual([409, 'payment_in_progress']);
  });

  it('409 session_not_open once it is completed, expired, or out of attempts', async () => {
    const [paid, spent, old] = [await begun(600_000), await begun(1_001), await begun(600_000)];
    await paid.pay();
    for (let n = 0; n < 10; n += 1) expect((await spent.pay()).status).toBe(201);
    const refused = [await paid.pay(), await spent.pay()];
    nowMs += dayMs;
    refused.push(await old.pay());
    for (const { status, body } of refused) expect([status, body.error.code]).toEqual([409, 'session_not_open']);
    expect(refused.map(({ body }) => body.error.message)).toEqual([
      'This session is completed.',
      'This session has had its maximum of 10 payments.',
      'This session has expired.',
    ]);
    expect((await world.sessions.find(spent.id))?.session.paymentCount).toBe(10);
  });

  it('409 session_not_open when it expires while its methods are read', async () => {
    const { id, methodIds, view } = await begun(600_000);
    const found = await world.sessions.find(id);
    const methods = {
      list: async (account: AccountRef) => {
        nowMs += dayMs;
        return world.methods.list(account);
      },
    };
    const begin = beginPaymentOf({ ...world, ...calls, methods, clock: () => nowMs });
    const wish = { acceptanceMethodId: methodIds[0] ?? '', paymentId: newId(nowMs) };
    await expect(found && begin(found, wish)).rejects.toMatchObject({ code: 'session_not_open' });
    expect(await view()).toMatchObject({ status: 'EXPIRED', paymentStatus: 'EXPIRED' });
  });

  it('409 takes precedence over a method that is unknown', async () => {
    const [waiting, spent] = [await begun(1_002), await begun(1_001)];
    await waiting.pay();
    for (let n = 0; n < 10; n += 1) await spent.pay();
    const refused = [await waiting.pay('x'), await spent.pay('x')];
    nowMs += dayMs;
    // Its time is over, and it still waits for its payment.
    refused.push(await waiting.pay('x'));
    expect(refused.map(({ status, body }) => [status, body.error.code])).toEqual([
      [409, 'payment_in_progress'],
      [409, 'session_not_open'],
      [409, 'session_not_open'],
    ]);
    expect(await waiting.view()).toMatchObject({ status: 'OPEN' });
    expect(refused.at(-1)?.body.error.message).toBe(
      'The time of this session is over. It only waits for the payment that is in progress.',
    );
  });

  it('422 method_unavailable for a method that is unknown, disabled or of another mode or account', async () => {
    const { ref, methodIds, pay, view } = await begun(600_000);
    const other = await calls.newMerchant();
    const wishes = ['Method 0', 'Method 1'].map((displayLabel, n) => ({
      ...{ gatewayCode: 'sim_card' as const, displayLabel, livemode: false, enabled: n === 0, sortOrder: n },
    }));
    await world.methods.replace(
      ref,
      [...wishes, { ...bkash, displayLabel: 'b', enabled: true, sortOrder: 3 }],
      newId(nowMs),
    );
    const live = (await world.methods.list(ref)).find(({ livemode }) => livemode);
    for (const id of [newId(nowMs), '', 'x', 'x'.repeat(5_000), methodIds[1], other.methodIds[0], live?.id]) {
      const { status, body } = await pay(id);
      expect([status, body.error.code]).toEqual([422, 'method_unavailable']);
    }
    expect(await view()).toMatchObject({ status: 'OPEN', paymentStatus: 'PENDING' });
  });

  it('422 method_unavailable for an amount that the gateway does not take', async () => {
    const { pay } = await begun(99, {}, true);
    expect((await pay()).body.error.code).toBe('method_unavailable');
  });

  it('422 method_unavailable once the account is frozen, which then offers no method', async () => {
    const { ref, pay, view } = await begun(600_000);
    await calls.freeze(ref);
    expect((await view()).eligibleMethods).toEqual([]);
    expect((await pay()).body.error.code).toBe('method_unavailable');
    expect(await view()).toMatchObject({ status: 'OPEN', paymentStatus: 'PENDING' });
  });

  it.each([undefined, null, 1, {}])('400 names acceptanceMethodId: %j', async (methodId) => {
    const { id } = await begun(600_000);
    const { status, body } = await calls.pay(id, methodId);
    expect([status, body.error.code]).toEqual([400, 'bad_request']);
    expect(body.error.message).toContain('acceptanceMethodId: ');
  });

  it('404 answers an unknown and a malformed session alike', async () => {
    const { methodIds } = await begun(600_000);
    const answers = [await calls.pay(newId(nowMs), methodIds[0]), await calls.pay('x', methodIds[0])];
    for (const { status, body } of answers) expect([status, body]).toEqual([404, answers[0]?.body]);
    expect(answers[0]?.body.error.code).toBe('session_not_found');
  });

  it('needs three reads and one transaction, and one more when the simulator answers at once', async () => {
    const { of } = countConsumption(world.calls);
    const [waiting, instant] = [await begun(1_002, {}), await begun(600_000, {})];
    const [pending, settled] = [await of(waiting.pay), await of(instant.pay)];
    expect([pending.calls, settled.calls]).toEqual([4, 5]);
    expect(settled.units).toBeLessThanOrEqual(20);
  });
});
