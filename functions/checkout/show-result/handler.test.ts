import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { newId } from '../../../shared/kit/id.ts';
import { type PageCalls, pageCalls, paymentIn } from '../../../test/page-calls.ts';
import { startWorld, type World } from '../../../test/world.ts';

let world: World;
let pages: PageCalls;
beforeAll(async () => {
  world = await startWorld();
  pages = pageCalls(world);
});
afterAll(() => world.close());

describe('GET /checkout/{id}/result', () => {
  it('200 shows what was paid, to whom, with what, and the reference', async () => {
    const { id, methodIds } = await pages.open();
    const payment = paymentIn(await pages.tap(id, { acceptanceMethodId: methodIds[1] ?? '' }));
    const { status, heading, text } = await pages.result(id);
    expect([status, heading]).toEqual([200, 'Payment successful']);
    for (const shown of ['৳6,000.00', 'Dhaka Books', 'Order 1042', 'Wallet', payment]) expect(text).toContain(shown);
    expect(text).not.toMatch(/<form|class="action"/);
  });

  it('200 links to the merchant, and redirects only on the first view', async () => {
    const { id, methodIds } = await pages.open({ successUrl: 'https://shop.example/thanks' });
    await pages.tap(id, { acceptanceMethodId: methodIds[0] ?? '' });
    const { headers, text } = await pages.result(id);
    expect(text).toContain('href="https://shop.example/thanks">Return to Dhaka Books');
    expect(headers).not.toHaveProperty('Refresh');
  });

  it('303 to the session’s page as long as nothing is paid', async () => {
    const { id, methodIds } = await pages.open({ amountMinor: 1_001 });
    const there = { status: 303, headers: { Location: `/checkout/${id}` } };
    expect(await pages.result(id)).toMatchObject(there);
    await pages.tap(id, { acceptanceMethodId: methodIds[0] ?? '' });
    expect(await pages.result(id)).toMatchObject(there);
  });

  it('404 for an unknown session', async () => {
    expect((await pages.result(newId(Date.now()))).status).toBe(404);
  });
});
