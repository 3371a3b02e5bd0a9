import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { answeredPayment } from '../../../test/checkout-fixture.ts';
import { merchantCalls } from '../../../test/merchant-calls.ts';
import { startWorld, type World } from '../../../test/world.ts';

let world: World;
beforeAll(async () => {
  world = await startWorld();
});
afterAll(() => world.close());

describe('GET /v1/refunds', () => {
  it('200 lists the mode’s refunds newest first, by status, invoice and page', async () => {
    const server = merchantCalls(world);
    const account = await world.newAccount();
    const key = await world.newCheckoutKey(account.ref);
    const one = await answeredPayment(world, account, { state: 'succeeded' }, { invoiceId: 'A' });
    const other = await answeredPayment(world, account, { state: 'succeeded' }, { invoiceId: 'B' });
    const ids: string[] = [];
    for (const { payment } of [one, one, other])
      ids.push((await server.refund(key, payment.id, { amountMinor: 100 })).body.data.id);
    const list = async (query: Readonly<Record<string, string>> = {}) =>
      (await server.listRefunds(key, query)).body.data.map(({ id }: { id: string }) => id);
    const newestFirst = [...ids].sort().reverse();
    expect(await list()).toEqual(newestFirst);
    expect((await list({ invoiceId: 'A' })).sort()).toEqual(ids.slice(0, 2).sort());
    expect([await list({ status: 'PENDING', limit: '1' }), await list({ status: 'FAILED' })]).toEqual([
      newestFirst.slice(0, 1),
      [],
    ]);
    const live = await world.newCheckoutKey(account.ref, { livemode: true });
    expect((await server.listRefunds(live)).body.data).toEqual([]);
  });
});
