import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { endpoint } from '../../../shared/http/endpoint.ts';
import { call } from '../../../test/call.ts';
import { startWorld, type World } from '../../../test/world.ts';
import { getAccountContract } from './contract.ts';
import { getAccount } from './handler.ts';

let world: World;
beforeAll(async () => {
  world = await startWorld();
});
afterAll(() => world.close());

const get = (key: string) => call(endpoint(getAccountContract, getAccount(world), world.callers()), { key });

describe('GET /account', () => {
  it('200 shows the account, its credits, and what the key that asks may do', async () => {
    const { ref, key } = await world.newAccount({
      settings: { name: 'Books & Co.', status: 'frozen' },
      credits: { email: 7, smsMasked: 0, smsNonMasked: 3 },
      scopes: ['analytics:read'],
      rateLimitPerMinute: 50,
    });
    const { status, body, headers } = await get(key);
    expect([status, body.data]).toEqual([
      200,
      {
        id: ref.id,
        name: 'Books & Co.',
        status: 'frozen',
        scopes: ['analytics:read'],
        rateLimitPerMinute: 50,
        credits: { email: 7, smsMasked: 0, smsNonMasked: 3 },
      },
    ]);
    expect(headers['X-RateLimit-Limit']).toBe('50');
  });

  it('200 answers a key without any scope', async () => {
    const { status, body } = await get((await world.newAccount({ scopes: [] })).key);
    expect([status, body.data.scopes]).toEqual([200, []]);
  });

  it('401 refuses what is no key', async () => {
    expect((await get(`mk_${'0'.repeat(64)}`)).status).toBe(401);
  });
});
