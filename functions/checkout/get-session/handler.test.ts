import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { newId } from '../../../shared/kit/id.ts';
import { type CheckoutCalls, checkoutCalls } from '../../../test/checkout-calls.ts';
import { startWorld, type World } from '../../../test/world.ts';

let world: World;
let calls: CheckoutCalls;
let nowMs = Date.parse('2026-11-20T12:00:00.000Z');
beforeAll(async () => {
  world = await startWorld();
  calls = checkoutCalls(world, () => nowMs);
});
afterAll(() => world.close());

describe('GET /v1/public/checkout-sessions/{id}', () => {
  it('200 shows what the page shows, and nothing else of merchant and customer', async () => {
    const { key } = await calls.newMerchant({ settings: { name: 'Shop of Ada' } });
    const secret = {
      customer: { email: 'ada@example.com' },
      metadata: { a: 'b' },
      successUrl: 'https://shop.example/',
    };
    const { data } = (await calls.create(key, { description: 'Two books', ...secret })).body;
    const { status, body } = await calls.view(data.id);
    const { url: _, ...shown } = data;
    expect([status, body]).toEqual([
      200,
      { data: { ...shown, paymentStatus: 'PENDING', description: 'Two books', merchant: { name: 'Shop of Ada' } } },
    ]);
  });

  it('200 shows null where there is no description, and offers what the merchant offers now', async () => {
    const { ref, key } = await calls.newMerchant();
    const { id } = (await calls.create(key)).body.data;
    await world.methods.replace(ref, [], newId(nowMs));
    expect((await calls.view(id)).body.data).toMatchObject({ description: null, eligibleMethods: [] });
  });

  it('200 reads EXPIRED from its expiresAt on, though nothing has been written', async () => {
    const { id, expiresAt } = (await calls.create((await calls.newMerchant()).key)).body.data;
    const statusAt = async (timeMs: number) => {
      nowMs = timeMs;
      return (await calls.view(id)).body.data.status;
    };
    expect(await statusAt(Date.parse(expiresAt) - 1)).toBe('OPEN');
    expect(await statusAt(Date.parse(expiresAt))).toBe('EXPIRED');
  });

  it('404 answers an unknown and a malformed id alike', async () => {
    const { id } = (await calls.create((await calls.newMerchant()).key)).body.data;
    const answers = [await calls.view(newId(nowMs)), await calls.view('x'), await calls.view(id.toUpperCase())];
    for (const { status, body } of answers) expect([status, body]).toEqual([404, answers[0]?.body]);
    expect(answers[0]?.body.error.code).toBe('session_not_found');
  });
});
