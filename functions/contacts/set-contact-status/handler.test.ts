import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { contactStatuses } from '../../../shared/contacts/contact.ts';
import { newId } from '../../../shared/kit/id.ts';
import { type ContactCalls, contactCalls } from '../../../test/contacts-calls.ts';
import { startWorld, type TestAccount, type World } from '../../../test/world.ts';

let world: World;
let calls: ContactCalls;
let account: TestAccount;

beforeAll(async () => {
  world = await startWorld();
  calls = contactCalls(world);
  account = await world.newAccount();
});
afterAll(() => world.close());

const totals = async () =>
  Promise.all(
    contactStatuses.map(
      async (status) => (await calls.list(account.key, { status: status.toUpperCase() })).body.pagination.total,
    ),
  );

describe('PATCH /admin/v1/contacts/{id}', () => {
  it('200 sets any status from any other, and lists and totals follow', async () => {
    const { data } = (await calls.create(account.key, { email: 'ada@example.com', tags: ['a'] })).body;
    for (const status of [...contactStatuses, ...contactStatuses.toReversed()]) {
      const answer = await calls.setStatus(data.id, status);
      expect([answer.status, answer.body.data]).toEqual([
        200,
        { ...data, status, updatedAt: answer.body.data.updatedAt },
      ]);
      expect((await calls.get(account.key, data.id)).body).toEqual(answer.body);
      expect(await totals()).toEqual(contactStatuses.map((each) => (each === status ? 1 : 0)));
      expect((await calls.list(account.key)).body.pagination.total).toBe(1);
    }
  });

  it('200 changes nothing when the contact has the status already', async () => {
    const { body } = await calls.create(account.key, { email: 'grace@example.com' });
    expect((await calls.setStatus(body.data.id, 'active')).body).toEqual(body);
  });

  it('400 refuses any other status', async () => {
    const { id } = (await calls.create(account.key, { email: 'edsger@example.com' })).body.data;
    for (const status of ['ACTIVE', 'retired', '', null, 1, undefined]) {
      const { body } = await calls.setStatus(id, status);
      expect([status, body.error?.code]).toEqual([status, 'invalid_request']);
    }
  });

  it('404 for an unknown and for a retired contact', async () => {
    const { id } = (await calls.create(account.key, { email: 'barbara@example.com' })).body.data;
    await calls.retire(account.key, id);
    for (const unknown of [id, newId(Date.now()), 'x']) {
      const { status, body } = await calls.setStatus(unknown, 'bounced');
      expect([status, body.error.code]).toEqual([404, 'contact_not_found']);
    }
  });
});
