import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { endpoint } from '../../../shared/http/endpoint.ts';
import { keylessSurface } from '../../../shared/http/keyless-surface.ts';
import { call } from '../../../test/call.ts';
import { startWorld, type World } from '../../../test/world.ts';
import { raiseSpreadContract } from './contract.ts';
import { raiseSpread } from './handler.ts';

let world: World;
beforeAll(async () => {
  world = await startWorld();
});
afterAll(() => world.close());

const raise = (id: string, body: unknown) =>
  call(endpoint(raiseSpreadContract, raiseSpread(world), keylessSurface), { path: { id }, body });

describe('PUT /admin/v1/accounts/{id}/spread', () => {
  it('200 raises one number or both, leaves the other as it is, and repeats itself without a change', async () => {
    const { ref } = await world.newAccount();
    const inForce = async (body: object) => (await raise(ref.id, body)).body.data;
    expect(await inForce({})).toEqual({ creditShards: 1, messageShards: 1 });
    expect(await inForce({ creditShards: 8 })).toEqual({ creditShards: 8, messageShards: 1 });
    expect(await inForce({ messageShards: 4 })).toEqual({ creditShards: 8, messageShards: 4 });
    expect(await inForce({ creditShards: 8, messageShards: 16 })).toEqual({ creditShards: 8, messageShards: 16 });
    expect(await inForce({})).toEqual({ creditShards: 8, messageShards: 16 });
    expect(await world.accounts.find(ref.id)).toMatchObject({ creditShards: 8 });
    expect((await world.accounts.credits(ref.id))?.email).toBe(100);
  });

  it('400 refuses a number below the one in force, above the most, or that is no power of two, and changes neither', async () => {
    const { ref } = await world.newAccount();
    await raise(ref.id, { creditShards: 8, messageShards: 4 });
    const refused = [
      { creditShards: 4 },
      { messageShards: 2, creditShards: 16 },
      { creditShards: 128 },
      { messageShards: 32 },
      { creditShards: 12 },
      { creditShards: '16' },
    ];
    for (const body of refused) {
      const answer = await raise(ref.id, body);
      expect([answer.status, answer.body.error.code]).toEqual([400, 'invalid_request']);
    }
    expect((await raise(ref.id, {})).body.data).toEqual({ creditShards: 8, messageShards: 4 });
  });

  it('404 answers an unknown account', async () => {
    for (const id of ['01932f6e-8c00-7000-8000-000000000000', 'nonsense']) {
      expect((await raise(id, { creditShards: 2 })).body.error.code).toBe('account_not_found');
    }
  });
});
