import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { endpoint } from '../../../shared/http/endpoint.ts';
import { keylessSurface } from '../../../shared/http/keyless-surface.ts';
import { call } from '../../../test/call.ts';
import { startWorld, type World } from '../../../test/world.ts';
import { createAccountContract } from './contract.ts';
import { createAccount } from './handler.ts';

let world: World;
beforeAll(async () => {
  world = await startWorld();
});
afterAll(() => world.close());

const create = (body: unknown) => call(endpoint(createAccountContract, createAccount(world), keylessSurface), { body });

describe('POST /admin/v1/accounts', () => {
  it('201 creates an account without credits and with default settings', async () => {
    const { status, body } = await create({ name: 'Acme' });
    expect(status).toBe(201);
    expect(body.data).toMatchObject({
      name: 'Acme',
      status: 'active',
      adminEmails: [],
      email: { fromAddress: null, verifiedDomains: [] },
      suppressions: 'off',
      quietHours: null,
      frequencyCap: null,
    });
    expect(await world.accounts.find(body.data.id)).toMatchObject(body.data);
    expect(await world.accounts.credits(body.data.id)).toEqual({ email: 0, smsMasked: 0, smsNonMasked: 0 });
  });

  it('400 refuses an account without a name', async () => {
    for (const body of [{}, { name: '' }, { name: '  ' }, { name: 7 }, { name: 'x'.repeat(201) }]) {
      const answer = await create(body);
      expect([answer.status, answer.body.error.code]).toEqual([400, 'invalid_request']);
      expect(answer.body.error.message).toContain('name: ');
    }
  });
});
