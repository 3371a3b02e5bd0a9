import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { credentials, type RealCheckout, startRealCheckout } from '../../../test/real-checkout.ts';
import { startWorld, type World } from '../../../test/world.ts';
import { newId } from '../../kit/id.ts';
import { orderOver } from './gateway-server-fixture.ts';

let world: World;
let checkout: RealCheckout;
beforeAll(async () => {
  world = await startWorld();
  checkout = await startRealCheckout(world);
});
afterAll(async () => {
  await checkout.close();
  await world.close();
});

describe('the gateway of a payment', () => {
  it('is the one of its method, with the credentials of its method', async () => {
    for (const code of ['sslcommerz', 'bkash'] as const) {
      const { payment } = await checkout.begin(code);
      expect(payment).toMatchObject({ status: 'PENDING', reference: expect.any(String) });
      expect(payment.redirectUrl).toContain(checkout[code].url);
    }
  });

  it('is none where there is no such method, or it is of another gateway or account', async () => {
    const id = checkout.methods.find(({ gatewayCode }) => gatewayCode === 'bkash')?.id ?? '';
    const other = (await world.newAccount()).ref;
    const payment = { gatewayCode: 'bkash', acceptanceMethodId: id };
    expect(await checkout.findAdapter(checkout.account, payment)).toBeDefined();
    for (const [account, wishes] of [
      [checkout.account, { gatewayCode: 'sslcommerz' }],
      [checkout.account, { gatewayCode: 'sim_card' }],
      [checkout.account, { acceptanceMethodId: newId(Date.now()) }],
      [checkout.account, { acceptanceMethodId: '' }],
      [other, {}],
    ] as const) {
      expect(await checkout.findAdapter(account, { ...payment, ...wishes })).toBeUndefined();
    }
  });

  it('asks bKash for one token for all functions', async () => {
    const { payment } = await checkout.begin('bkash');
    const grants = checkout.bkash.callsOf('/token/grant').length;
    const gateway = await checkout.newFindAdapter()(checkout.account, payment);
    const order = orderOver(payment.amountMinor, { reference: payment.reference });
    expect(await gateway?.query(order)).toMatchObject({ state: 'pending' });
    expect([grants, checkout.bkash.callsOf('/token/grant').length]).toEqual([1, 1]);
  });

  it('keeps that token sealed, and credentials nowhere in the open', async () => {
    const items = await world.scan();
    const [token] = items.filter(({ entity }) => entity === 'gateway-token');
    expect(token).toMatchObject({ PK: expect.stringMatching(/^A#.*#GATEWAY#/), SK: 'TOKEN' });
    const sealed = Buffer.from(Object(token)['token']);
    expect([sealed.length > 100, sealed.includes('idToken')]).toEqual([true, false]);
    for (const secret of [...Object.values(credentials.bkash), credentials.sslcommerz.storePassword]) {
      expect(JSON.stringify(items)).not.toContain(`"${secret}"`);
    }
  });

  it('has the credentials as they are now', async () => {
    const wishes = checkout.methods.map(({ id, ...method }) => ({ ...method, acceptanceMethodId: id }));
    const changed = wishes.map((wish) => ({
      ...wish,
      credentials: { ...wish.credentials, password: 'p', storePassword: 'p' },
    }));
    const [ours] = checkout.methods;
    const payment = { gatewayCode: ours?.gatewayCode ?? '', acceptanceMethodId: ours?.id ?? '' };
    const before = await checkout.findAdapter(checkout.account, payment);
    expect(await checkout.findAdapter(checkout.account, payment)).toBe(before);
    await world.methods.replace(checkout.account, changed, newId(Date.now()));
    expect(await checkout.findAdapter(checkout.account, payment)).not.toBe(before);
    await world.methods.replace(checkout.account, [], newId(Date.now()));
    expect(await checkout.findAdapter(checkout.account, payment)).toBeDefined();
  });
});
