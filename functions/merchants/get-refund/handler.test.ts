import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { answeredPayment } from '../../../test/checkout-fixture.ts';
import { merchantCalls } from '../../../test/merchant-calls.ts';
import { startWorld, type World } from '../../../test/world.ts';

let world: World;
beforeAll(async () => {
  world = await startWorld();
});
afterAll(() => world.close());

describe('GET /v1/refunds/{id}', () => {
  it('200 answers the refund as its creation did, and 404 for every other key', async () => {
    const server = merchantCalls(world);
    const account = await world.newAccount();
    const key = await world.newCheckoutKey(account.ref);
    const { payment } = await answeredPayment(world, account, { state: 'succeeded' });
    const { data } = (await server.refund(key, payment.id)).body;
    const { status, body } = await server.getRefund(key, data.id);
    expect([status, body.data]).toEqual([200, data]);
    const stranger = await world.newCheckoutKey((await world.newAccount()).ref);
    const live = await world.newCheckoutKey(account.ref, { livemode: true });
    for (const [other, id] of [
      [stranger, data.id],
      [live, data.id],
      [key, payment.id],
      [key, 'x'],
    ])
      expect((await server.getRefund(other, id)).body.error.code).toBe('refund_not_found');
  });
});
