import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { endpoint } from '../../../shared/http/endpoint.ts';
import { keylessSurface } from '../../../shared/http/keyless-surface.ts';
import { call } from '../../../test/call.ts';
import { startWorld, type World } from '../../../test/world.ts';
import { setCreditsContract } from './contract.ts';
import { setCredits } from './handler.ts';

let world: World;
beforeAll(async () => {
  world = await startWorld();
});
afterAll(() => world.close());

const set = (id: string, body: unknown) =>
  call(endpoint(setCreditsContract, setCredits(world), keylessSurface), { path: { id }, body });

describe('PUT /admin/v1/accounts/{id}/credits', () => {
  it('200 sets the three counters', async () => {
    const { ref } = await world.newAccount();
    const credits = { email: 0, smsMasked: 5, smsNonMasked: 1_000_000 };
    expect((await set(ref.id, credits)).body).toEqual({ data: credits });
    expect(await world.accounts.credits(ref.id)).toEqual(credits);
  });

  it('400 refuses anything but three whole numbers that are not negative', async () => {
    const { ref } = await world.newAccount();
    for (const wrong of [{ email: -1 }, { email: 1.5 }, { email: '1' }, { email: undefined }, { email: 1e300 }]) {
      const { status, body } = await set(ref.id, { smsMasked: 1, smsNonMasked: 1, ...wrong });
      expect([status, body.error.code]).toEqual([400, 'invalid_request']);
    }
    expect((await world.accounts.credits(ref.id))?.email).toBe(100);
  });

  it('404 answers an unknown id and makes nothing', async () => {
    const id = '01932f6e-8c00-7000-8000-000000000000';
    expect((await set(id, { email: 1, smsMasked: 1, smsNonMasked: 1 })).body.error.code).toBe('not_found');
    expect(await world.accounts.credits(id)).toBeUndefined();
  });
});
