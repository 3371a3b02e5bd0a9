import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { endpoint } from '../../../shared/http/endpoint.ts';
import { keylessSurface } from '../../../shared/http/keyless-surface.ts';
import { call } from '../../../test/call.ts';
import { startWorld, type World } from '../../../test/world.ts';
import { revokeCheckoutKeyContract } from './contract.ts';
import { revokeCheckoutKey } from './handler.ts';

let world: World;
beforeAll(async () => {
  world = await startWorld();
});
afterAll(() => world.close());

const revoke = (keyId: string) =>
  call(endpoint(revokeCheckoutKeyContract, revokeCheckoutKey(world), keylessSurface), { path: { keyId } });

describe('DELETE /admin/v1/checkout-keys/{keyId}', () => {
  it('204 revokes the key at once, and a repetition changes nothing', async () => {
    const { ref } = await world.newAccount();
    const key = await world.newCheckoutKey(ref);
    const [{ id = '' } = {}] = await world.checkoutKeys.list(ref.id);
    const other = await world.newCheckoutKey(ref);
    const revokedNow = async () =>
      new Map((await world.checkoutKeys.list(ref.id)).map(({ id: one, revokedAt }) => [one === id, revokedAt]));
    expect(await world.checkoutKeys.admit(key, Date.now())).toHaveProperty('count');
    expect(await revoke(id)).toMatchObject({ status: 204, text: '' });
    expect(await world.checkoutKeys.admit(key, Date.now())).toHaveProperty('refused');
    expect(await world.checkoutKeys.admit(key, Date.now() + 120_000)).toHaveProperty('refused');
    expect(await world.checkoutKeys.admit(other, Date.now())).toHaveProperty('count');
    const first = await revokedNow();
    expect([first.get(true), first.get(false)]).toEqual([expect.any(String), null]);
    expect((await revoke(id)).status).toBe(204);
    expect(await revokedNow()).toEqual(first);
  });

  it('404 answers an unknown id, and the id of a messaging key', async () => {
    const { ref, key } = await world.newAccount();
    const [{ id = '' } = {}] = await world.apiKeys.list(ref.id);
    for (const unknown of ['01932f6e-8c00-7000-8000-000000000000', 'nonsense', id]) {
      expect((await revoke(unknown)).body.error.code).toBe('checkout_key_not_found');
    }
    expect(await world.apiKeys.admit(key, Date.now())).toHaveProperty('count');
  });
});
