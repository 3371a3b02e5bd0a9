import { afterAll, beforeAll, describe, expect, it } from 'vitest';
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

describe('GET /contacts/{id}', () => {
  it('200 gives the contact as it was created', async () => {
    const { body } = await calls.create(account.key, { email: 'Ada@example.com', tags: ['a'] });
    const answer = await calls.get(account.key, body.data.id);
    expect([answer.status, answer.body]).toEqual([200, body]);
  });

  it('404 for an unknown id, in any format', async () => {
    for (const id of [newId(Date.now()), '0', 'x'.repeat(2_000), '00000000-0000-0000-0000-000000000000', 'ÿ#~']) {
      const { status, body } = await calls.get(account.key, id);
      expect([status, body.error.code]).toEqual([404, 'contact_not_found']);
    }
  });

  it('404 for a contact of another account', async () => {
    const other = await world.newAccount();
    const { body } = await calls.create(other.key, { email: 'grace@example.com' });
    expect((await calls.get(account.key, body.data.id)).status).toBe(404);
  });

  it('404 for a retired contact', async () => {
    const { body } = await calls.create(account.key, { email: 'edsger@example.com' });
    await calls.retire(account.key, body.data.id);
    expect((await calls.get(account.key, body.data.id)).body.error.code).toBe('contact_not_found');
  });
});
