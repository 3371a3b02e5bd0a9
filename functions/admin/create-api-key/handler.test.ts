import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { endpoint } from '../../../shared/http/endpoint.ts';
import { call } from '../../../test/call.ts';
import { expectLimitOfMembers } from '../../../test/raised-limit.ts';
import { platformOperators, startWorld, type World } from '../../../test/world.ts';
import { createApiKeyContract } from './contract.ts';
import { createApiKey } from './handler.ts';

let world: World;
beforeAll(async () => {
  world = await startWorld();
});
afterAll(() => world.close());

const create = (id: string, body: unknown) =>
  call(endpoint(createApiKeyContract, createApiKey(world), platformOperators), { path: { id }, body });

describe('POST /admin/v1/accounts/{id}/api-keys', () => {
  it('201 creates a working key, and stores only its hash', async () => {
    const { ref } = await world.newAccount();
    const { status, body } = await create(ref.id, { name: 'billing', scopes: ['messages:send', 'messages:send'] });
    expect(status).toBe(201);
    expect(body.data).toMatchObject({
      name: 'billing',
      scopes: ['messages:send'],
      rateLimitPerMinute: 1_000,
      revokedAt: null,
    });
    expect(body.data.key).toMatch(/^mk_[0-9a-f]{64}$/);
    expect(body.data.key.startsWith(body.data.prefix)).toBe(true);
    expect(await world.apiKeys.admit(body.data.key, Date.now())).toMatchObject({
      account: ref,
      count: 1,
      limit: 1_000,
    });
    expect(JSON.stringify(await world.scan())).not.toContain(body.data.key.slice(10));
  });

  it('400 refuses unknown scopes, no scopes, no name and a bad limit', async () => {
    const { ref } = await world.newAccount();
    const right = { name: 'n', scopes: ['messages:send'] };
    for (const wrong of [
      { scopes: ['messages:delete'] },
      { scopes: [] },
      { name: '' },
      { rateLimitPerMinute: 0 },
      { rateLimitPerMinute: 1.5 },
    ]) {
      const { status, body } = await create(ref.id, { ...right, ...wrong });
      expect([status, body.error.code]).toEqual([400, 'invalid_request']);
    }
  });

  it('403 refuses a member more than 1,000 requests a minute; an operator sets any limit', () =>
    expectLimitOfMembers(world, (people, who, id, rateLimitPerMinute) =>
      people.call(createApiKeyContract, createApiKey(world), who, {
        path: { id },
        body: { name: 'n', scopes: ['messages:send'], rateLimitPerMinute },
      }),
    ));

  it('404 answers an unknown account', async () => {
    const { body } = await create('01932f6e-8c00-7000-8000-000000000000', { name: 'n', scopes: ['messages:send'] });
    expect(body.error.code).toBe('account_not_found');
  });
});
