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

const begun = async (amountMinor: number) => {
  const { id, methodIds } = await pages.open({ amountMinor });
  const payment = paymentIn(await pages.tap(id, { acceptanceMethodId: methodIds[0] ?? '' }));
  return { id, payment, methodIds };
};

describe('POST /checkout/{id}/payments/{paymentId}/cancel', () => {
  it('303 back to the page, where the payer may choose again', async () => {
    const { id, payment, methodIds } = await begun(1_002);
    expect(await pages.cancel(id, payment)).toMatchObject({ status: 303, headers: { Location: `/checkout/${id}` } });
    expect(await pages.attempts(id)).toMatchObject([{ status: 'FAILED', mark: 'cancelled' }]);
    expect((await pages.show(id)).heading).toBe('The payment was cancelled');
    await pages.tap(id, { acceptanceMethodId: methodIds[1] ?? '', begun: '1' });
    expect(await pages.attempts(id)).toHaveLength(2);
  });

  it('303 one that has ended stays as it is', async () => {
    for (const amountMinor of [600_000, 1_001]) {
      const { id, payment } = await begun(amountMinor);
      const before = await pages.attempts(id);
      expect((await pages.cancel(id, payment)).status).toBe(303);
      expect(await pages.attempts(id)).toEqual(before);
    }
  });

  it('303 one that may have gone through is waited for', async () => {
    const { id, payment } = await begun(1_002);
    const [attempt] = await pages.attempts(id);
    const action = `/checkout/${id}/payments/${payment}/cancel`;
    expect((await pages.wait(id, payment)).text).toContain(action);
    if (attempt) await world.payments.claimConfirmation(attempt, Date.now());
    expect((await pages.wait(id, payment)).text).not.toContain(action);
    expect((await pages.cancel(id, payment)).headers['Location']).toBe(
      `/checkout/${id}/payments/${payment}?returned=1`,
    );
    expect(await pages.attempts(id)).toMatchObject([{ status: 'PENDING' }]);
  });

  it('404 for an unknown payment', async () => {
    const { id } = await begun(1_002);
    expect((await pages.cancel(id, newId(Date.now()))).status).toBe(404);
  });
});
