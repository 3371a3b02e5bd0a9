import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { endpoint } from '../../../shared/http/endpoint.ts';
import { keylessSurface } from '../../../shared/http/keyless-surface.ts';
import { call } from '../../../test/call.ts';
import { startWorld, type World } from '../../../test/world.ts';
import { getAccountContract } from './contract.ts';
import { getAccount } from './handler.ts';

let world: World;
beforeAll(async () => {
  world = await startWorld();
});
afterAll(() => world.close());

const get = (id: string) => call(endpoint(getAccountContract, getAccount(world), keylessSurface), { path: { id } });

describe('GET /admin/v1/accounts/{id}', () => {
  it('200 returns the account without its data key', async () => {
    const { ref } = await world.newAccount();
    const { status, body, text } = await get(ref.id);
    expect(status).toBe(200);
    expect(body.data).toMatchObject({ id: ref.id, name: 'Test', email: { verifiedDomains: ['example.com'] } });
    expect(text).not.toContain(ref.sealedKey);
  });

  it('404 answers an unknown id', async () => {
    for (const id of ['01932f6e-8c00-7000-8000-000000000000', 'nonsense', 'x'.repeat(3_000)]) {
      expect((await get(id)).body.error.code).toBe('account_not_found');
    }
  });
});
