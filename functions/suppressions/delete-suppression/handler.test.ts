import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { detailsOf } from '../../../shared/contacts/contact.ts';
import { endpoint } from '../../../shared/http/endpoint.ts';
import { newId } from '../../../shared/kit/id.ts';
import { call } from '../../../test/call.ts';
import { startWorld, type TestAccount, type World } from '../../../test/world.ts';
import { deleteSuppressionContract } from './contract.ts';
import { deleteSuppression } from './handler.ts';

let world: World;
let account: TestAccount;
beforeAll(async () => {
  world = await startWorld();
  account = await world.newAccount();
});
afterAll(() => world.close());

const remove = (channel: string, address: string, key = account.key) =>
  call(endpoint(deleteSuppressionContract, deleteSuppression(world), world.callers('contacts:write')), {
    key,
    path: { channel, address },
  });

describe('DELETE /suppressions/{channel}/{address}', () => {
  it('204 removes every entry of the address, once, and leaves the contact as it is', async () => {
    const { ref, key } = await world.newAccount();
    const created = await world.contacts.create(
      ref,
      {
        id: '01932f6e-8c00-7000-8000-000000000001',
        details: detailsOf({ email: 'bob@example.com' }),
      },
      Date.now(),
    );
    const { id } = 'contact' in created ? created.contact : expect.fail();
    await world.contacts.setStatus(ref, id, 'complained', Date.now());
    const manual = { channel: 'email', address: { email: 'bob@example.com' }, reason: 'manual' } as const;
    await world.suppressions.add(ref, { ...manual, id: newId(Date.now()) });
    const entries = () => world.suppressions.list(ref, { limit: 10 });
    expect((await entries()).map(({ reason }) => reason).sort()).toEqual(['complained', 'manual']);
    expect((await remove('email', 'bob@example.com')).status).toBe(404);
    expect((await remove('email', 'BOB@example.com', key)).status).toBe(204);
    expect(await entries()).toEqual([]);
    expect((await remove('email', 'BOB@example.com', key)).status).toBe(404);
    expect(await world.contacts.find(ref, id)).toMatchObject({ status: 'complained' });
  });

  it.each([
    ['fax', 'ada@example.com'],
    ['email', 'nobody@example.com'],
    ['sms', 'ada@example.com'],
    ['email', 'x'],
  ])('404 answers %s %s, which is not listed', async (channel, address) => {
    const { status, body } = await remove(channel, address);
    expect([status, body.error.code]).toEqual([404, 'not_found']);
  });
});
