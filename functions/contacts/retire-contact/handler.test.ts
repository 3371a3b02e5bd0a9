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

describe('DELETE /contacts/{id}', () => {
  it('204 with an empty body, and the contact is gone from read, list, change and every filter', async () => {
    const sent = { email: 'ada@example.com', phone: '+8801711111111', firstName: 'Ada', tags: ['vip'], source: 'web' };
    const { id } = (await calls.create(account.key, sent)).body.data;
    const answer = await calls.retire(account.key, id);
    expect([answer.status, answer.text]).toEqual([204, '']);

    expect((await calls.get(account.key, id)).status).toBe(404);
    expect((await calls.update(account.key, id, { firstName: 'Eve' })).body.error.code).toBe('contact_not_found');
    const queries: Record<string, string>[] = [
      {},
      { status: 'ACTIVE' },
      { tags: 'vip' },
      { source: 'web' },
      { search: 'ada' },
      { search: 'ada@example.com' },
      { search: '8801711111111' },
      { minEngagementScore: '1' },
      { sortBy: 'updatedAt' },
      { sortBy: 'engagementScore' },
    ];
    for (const query of queries) {
      const { body } = await calls.list(account.key, query);
      expect([query, body.data, body.pagination.total]).toEqual([query, [], 0]);
    }
  });

  it('404 the second time', async () => {
    const { id } = (await calls.create(account.key, { email: 'grace@example.com' })).body.data;
    expect((await calls.retire(account.key, id)).status).toBe(204);
    const { status, body } = await calls.retire(account.key, id);
    expect([status, body.error.code]).toEqual([404, 'contact_not_found']);
  });

  it('404 for an unknown id and for a contact of another account, which stays', async () => {
    const other = await world.newAccount();
    const { id } = (await calls.create(other.key, { email: 'ada@example.com' })).body.data;
    for (const unknown of [id, newId(Date.now()), 'x']) {
      expect((await calls.retire(account.key, unknown)).body.error.code).toBe('contact_not_found');
    }
    expect((await calls.get(other.key, id)).status).toBe(200);
  });

  it('204 lets the phone be taken again, and again retired, while the email stays held', async () => {
    for (const round of [1, 2, 3]) {
      const sent = { email: `round${round}@example.com`, phone: '+8801722222222' };
      const { status, body } = await calls.create(account.key, sent);
      expect(status).toBe(201);
      await calls.retire(account.key, body.data.id);
      expect((await calls.create(account.key, sent)).status).toBe(409);
    }
  });

  it('204 for exactly one of many at once, and a change at the same time leaves nothing behind', async () => {
    const other = await world.newAccount();
    const { id } = (await calls.create(other.key, { phone: '+8801733333333', tags: ['a'] })).body.data;
    const answers = await Promise.all(
      Array.from({ length: 10 }, (_, n) =>
        n % 2 === 0 ? calls.retire(other.key, id) : calls.update(other.key, id, { tags: [`t${n}`] }),
      ),
    );
    expect(answers.filter(({ status }) => status === 204)).toHaveLength(1);
    expect(answers.every(({ status }) => [200, 204, 404].includes(status))).toBe(true);
    expect((await calls.list(other.key)).body.pagination.total).toBe(0);
    expect((await calls.list(other.key, { tags: 'a,t1,t3,t5,t7,t9' })).body.pagination.total).toBe(0);
  });
});
