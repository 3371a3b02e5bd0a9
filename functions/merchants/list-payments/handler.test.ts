import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { JsonText } from '../../../shared/kit/json-text.ts';
import { answeredPayment, begunPayment, openSession } from '../../../test/checkout-fixture.ts';
import { countConsumption } from '../../../test/consumption.ts';
import { startEarlierWorld } from '../../../test/earlier-release.ts';
import { merchantCalls } from '../../../test/merchant-calls.ts';
import { startWorld, type TestAccount, type World } from '../../../test/world.ts';

let world: World;
let account: TestAccount;
let key: string;
let server: ReturnType<typeof merchantCalls>;
beforeAll(async () => {
  world = await startWorld();
  account = await world.newAccount();
  key = await world.newCheckoutKey(account.ref);
  server = merchantCalls(world);
});
afterAll(() => world.close());

const idsIn = (answer: { body: { data: { id: string }[] } }) => answer.body.data.map(({ id }) => id);

describe('GET /v1/payments', () => {
  it('200 lists the mode’s payments newest first, by status, time, invoice and page', async () => {
    const paid = await answeredPayment(world, account, { state: 'succeeded' }, { invoiceId: 'A' });
    const failed = await answeredPayment(world, account, { state: 'failed' }, { invoiceId: 'B' });
    const pending = await begunPayment(world, account, { invoiceId: 'A' });
    await begunPayment(world, account, { livemode: true, invoiceId: 'A' });
    await begunPayment(world, await world.newAccount(), { invoiceId: 'A' });
    const all = [pending, failed, paid].map(({ payment }) => payment.id);
    expect(idsIn(await server.listPayments(key))).toEqual([...all].sort().reverse());
    expect(idsIn(await server.listPayments(key, { status: 'FAILED' }))).toEqual([failed.payment.id]);
    expect(idsIn(await server.listPayments(key, { invoiceId: 'A' })).sort()).toEqual(
      [pending.payment.id, paid.payment.id].sort(),
    );
    expect(idsIn(await server.listPayments(key, { to: '2020-01-01' }))).toEqual([]);
    const first = await server.listPayments(key, { limit: '2' });
    const { cursor } = first.body.pagination;
    expect([...idsIn(first), ...idsIn(await server.listPayments(key, { limit: '2', cursor }))]).toEqual(
      [...all].sort().reverse(),
    );
  });

  it('200 reads nothing of an invoice’s sessions that nobody began to pay, and of the others once for all pages of a filter', async () => {
    const { ref } = account;
    const invoiceId = 'DONATION';
    const paid = [];
    for (let n = 0; n < 4; n += 1)
      paid.push(await answeredPayment(world, account, { state: n === 0 ? 'failed' : 'succeeded' }, { invoiceId }));
    const query = { invoiceId, status: 'FAILED', limit: '1' };
    const consumption = countConsumption(world.calls);
    const listed = async () => {
      let ids: string[] = [];
      const { calls } = await consumption.of(async () => {
        ids = idsIn(await server.listPayments(key, query));
      });
      return { ids, calls };
    };
    await listed();
    const before = await listed();
    expect(before.ids).toEqual([paid[0]?.payment.id]);
    for (let n = 0; n < 20; n += 1)
      await world.sessions.create(ref, openSession(ref.id, { invoiceId }), {
        idempotencyKey: undefined,
        nowMs: Date.now(),
      });
    expect(await listed()).toEqual(before);
    // The key, its methods, the entries of the invoice, each session once, and two pages of sessions and payments.
    expect(before.calls).toBeLessThanOrEqual(2 + 1 + 1 + paid.length + 2 * 2);
  });

  it('200 lists payments of the release before', async () => {
    const earlier = await startEarlierWorld();
    const { payment, session } = earlier.release.payment;
    const found = await earlier.world.payments.find(session, payment);
    const { ref } = earlier.release.account;
    const secret = await earlier.world.newCheckoutKey(ref, { livemode: found?.payment.livemode ?? false });
    expect(idsIn(await merchantCalls(earlier.world).listPayments(secret))).toContain(payment);
    await earlier.world.close();
  });

  it('200 ends a page early whose metadata is too much for one answer', async () => {
    const other = await world.newAccount();
    const secret = await world.newCheckoutKey(other.ref);
    const metadata = JsonText.of({ note: 'x'.repeat(200_000) });
    for (let n = 0; n < 14; n += 1) await begunPayment(world, other, { metadata });
    const { body } = await server.listPayments(secret);
    expect([body.data.length, body.pagination]).toEqual([12, { cursor: body.data.at(-1).id, hasMore: true }]);
    const rest = await server.listPayments(secret, { cursor: body.pagination.cursor });
    expect([rest.body.data.length, rest.body.pagination]).toEqual([2, { cursor: null, hasMore: false }]);
  });

  it('400 refuses a status that payments do not have', async () => {
    expect((await server.listPayments(key, { status: 'OPEN' })).body.error.code).toBe('bad_request');
  });
});
