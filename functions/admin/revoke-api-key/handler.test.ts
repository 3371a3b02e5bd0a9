import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { endpoint } from '../../../shared/http/endpoint.ts';
import { keylessSurface } from '../../../shared/http/keyless-surface.ts';
import { call } from '../../../test/call.ts';
import { startWorld, type World } from '../../../test/world.ts';
import { revokeApiKeyContract } from './contract.ts';
import { revokeApiKey } from './handler.ts';

let world: World;
beforeAll(async () => {
  world = await startWorld();
});
afterAll(() => world.close());

const revoke = (keyId: string) =>
  call(endpoint(revokeApiKeyContract, revokeApiKey(world), keylessSurface), { path: { keyId } });

describe('DELETE /admin/v1/api-keys/{keyId}', () => {
  it('204 revokes the key at once, and a repetition changes nothing', async () => {
    const { ref, key } = await world.newAccount();
    const [{ id = '' } = {}] = await world.apiKeys.list(ref.id);
    expect(await world.apiKeys.admit(key, Date.now())).toHaveProperty('count');
    expect(await revoke(id)).toMatchObject({ status: 204, text: '' });
    expect(await world.apiKeys.admit(key, Date.now())).toHaveProperty('refused');
    const [{ revokedAt } = {}] = await world.apiKeys.list(ref.id);
    expect((await revoke(id)).status).toBe(204);
    expect(await world.apiKeys.list(ref.id)).toMatchObject([{ revokedAt }]);
  });

  it('404 answers an unknown id', async () => {
    for (const id of ['01932f6e-8c00-7000-8000-000000000000', 'nonsense']) {
      expect((await revoke(id)).body.error.code).toBe('api_key_not_found');
    }
  });
});
