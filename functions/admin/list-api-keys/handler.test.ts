import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { endpoint } from '../../../shared/http/endpoint.ts';
import { keylessSurface } from '../../../shared/http/keyless-surface.ts';
import { call } from '../../../test/call.ts';
import { startWorld, type World } from '../../../test/world.ts';
import { listApiKeysContract } from './contract.ts';
import { listApiKeys } from './handler.ts';

let world: World;
beforeAll(async () => {
  world = await startWorld();
});
afterAll(() => world.close());

const list = (id: string) => call(endpoint(listApiKeysContract, listApiKeys(world), keylessSurface), { path: { id } });

describe('GET /admin/v1/accounts/{id}/api-keys', () => {
  it('200 lists the account’s keys without the keys themselves, and no other account’s', async () => {
    const { ref, key } = await world.newAccount({ scopes: ['contacts:read'] });
    await world.newAccount();
    const { status, body, text } = await list(ref.id);
    expect(status).toBe(200);
    expect(body.data).toMatchObject([
      { name: 'test', prefix: key.slice(0, 7), scopes: ['contacts:read'], revokedAt: null },
    ]);
    expect(text).not.toContain(key.slice(10));
  });

  it('404 answers an unknown account', async () => {
    expect((await list('01932f6e-8c00-7000-8000-000000000000')).body.error.code).toBe('account_not_found');
  });
});
