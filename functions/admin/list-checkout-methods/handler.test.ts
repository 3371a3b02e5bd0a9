import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { endpoint } from '../../../shared/http/endpoint.ts';
import { keylessSurface } from '../../../shared/http/keyless-surface.ts';
import { newId } from '../../../shared/kit/id.ts';
import { call } from '../../../test/call.ts';
import { startWorld, type World } from '../../../test/world.ts';
import { listCheckoutMethodsContract } from './contract.ts';
import { listCheckoutMethods } from './handler.ts';

let world: World;
beforeAll(async () => {
  world = await startWorld();
});
afterAll(() => world.close());

const list = (id: string) =>
  call(endpoint(listCheckoutMethodsContract, listCheckoutMethods(world), keylessSurface), { path: { id } });

describe('GET /admin/v1/accounts/{id}/checkout-methods', () => {
  it('200 lists the account’s methods, disabled ones too, without their credentials', async () => {
    const { ref } = await world.newAccount();
    const method = { livemode: false, enabled: false, sortOrder: 1 };
    const credentials = { username: 'u5er', password: 'u5er', appKey: 'u5er', appSecret: 'u5er' };
    const [kept] = await world.methods.replace(
      ref,
      [{ ...method, gatewayCode: 'bkash', displayLabel: 'bKash', credentials }],
      newId(Date.now()),
    );
    const { status, body, text } = await list(ref.id);
    expect([status, body.data]).toEqual([
      200,
      [{ ...method, acceptanceMethodId: kept?.id, gatewayCode: 'bkash', displayLabel: 'bKash', hasCredentials: true }],
    ]);
    expect(text).not.toContain('u5er');
  });

  it('200 returns an empty list for a new account', async () => {
    expect((await list((await world.newAccount()).ref.id)).body).toEqual({ data: [] });
  });

  it('404 answers an unknown account', async () => {
    expect((await list('01932f6e-8c00-7000-8000-000000000000')).body.error.code).toBe('account_not_found');
  });
});
