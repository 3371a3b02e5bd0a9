import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { endpoint } from '../../../shared/http/endpoint.ts';
import { keylessSurface } from '../../../shared/http/keyless-surface.ts';
import { call } from '../../../test/call.ts';
import { startWorld, type World } from '../../../test/world.ts';
import { getCreditsContract } from './contract.ts';
import { getCredits } from './handler.ts';

let world: World;
beforeAll(async () => {
  world = await startWorld();
});
afterAll(() => world.close());

const get = (id: string) => call(endpoint(getCreditsContract, getCredits(world), keylessSurface), { path: { id } });

describe('GET /admin/v1/accounts/{id}/credits', () => {
  it('200 shows the three counters', async () => {
    const { ref } = await world.newAccount({ credits: { email: 7 } });
    expect((await get(ref.id)).body).toEqual({ data: { email: 7, smsMasked: 100, smsNonMasked: 100 } });
  });

  it('404 answers an unknown id', async () => {
    for (const id of ['01932f6e-8c00-7000-8000-000000000000', 'nonsense']) {
      expect((await get(id)).body.error.code).toBe('account_not_found');
    }
  });
});
