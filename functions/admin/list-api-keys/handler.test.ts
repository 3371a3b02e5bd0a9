import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { makeApiKey } from '../../../shared/accounts/api-key.ts';
import { endpoint } from '../../../shared/http/endpoint.ts';
import { keylessSurface } from '../../../shared/http/keyless-surface.ts';
import { newId } from '../../../shared/kit/id.ts';
import { call } from '../../../test/call.ts';
import { startWorld, type World } from '../../../test/world.ts';
import { listApiKeysContract } from './contract.ts';
import { listApiKeys } from './handler.ts';

let world: World;
beforeAll(async () => {
  world = await startWorld();
});
afterAll(() => world.close());

const list = (id: string, query?: Readonly<Record<string, string>>) =>
  call(endpoint(listApiKeysContract, listApiKeys(world), keylessSurface), { path: { id }, ...(query && { query }) });

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

  it('200 lists page by page, all of them without a limit', async () => {
    const { ref } = await world.newAccount();
    const grant = { name: 'more', scopes: [], rateLimitPerMinute: 1 };
    for (let n = 0; n < 4; n += 1)
      await world.apiKeys.create(ref, makeApiKey(), { id: newId(Date.now() + n), ...grant }, Date.now());
    const all = await list(ref.id);
    expect([all.body.data.length, all.body.pagination]).toEqual([5, { cursor: null, hasMore: false }]);
    const first = await list(ref.id, { limit: '2' });
    const { cursor, hasMore } = first.body.pagination;
    const rest = await list(ref.id, { cursor });
    expect([hasMore, first.body.data.concat(rest.body.data)]).toEqual([true, all.body.data]);
  });

  it('404 answers an unknown account', async () => {
    expect((await list('01932f6e-8c00-7000-8000-000000000000')).body.error.code).toBe('account_not_found');
  });
});
