import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { withScore } from '../shared/contacts/contact.ts';
import { nthId } from '../shared/kit/id.ts';
import { newEmail } from '../shared/messages/new-message.ts';
import { acceptEmail } from './accepted-message.ts';
import { type ContactCalls, contactCalls } from './contacts-calls.ts';
import { startWorld, type TestAccount, type World } from './world.ts';

// Concurrent callers: an address has one holder, whichever calls compete for it.

let world: World;
let calls: ContactCalls;
let account: TestAccount;

beforeAll(async () => {
  world = await startWorld();
  calls = contactCalls(world);
  account = await world.newAccount();
});
afterAll(() => world.close());

const numbers = (count: number) => Array.from({ length: count }, (_, n) => n);
const times = (count: number, status: number) => numbers(count).map(() => status);
const statuses = (answers: readonly { status: number }[]) => answers.map(({ status }) => status).toSorted();
const total = async (query: Record<string, string>) => (await calls.list(account.key, query)).body.pagination.total;

describe('concurrently', () => {
  it('12 creations with the same email: one 201, the others 409', async () => {
    const answers = await Promise.all(
      numbers(12).map((n) =>
        calls.create(account.key, { email: n % 2 ? 'Ada@example.com' : 'ada@EXAMPLE.com', tags: ['r1'] }),
      ),
    );
    expect(statuses(answers)).toEqual([201, ...times(11, 409)]);
    expect(await total({ search: 'ada@example.com' })).toBe(1);
    expect(await total({ tags: 'r1' })).toBe(1);
  });

  it('12 creations with the same phone and different emails: one 201, and the refused ones reserve no email', async () => {
    const emails = numbers(12).map((n) => `phone${n}@example.com`);
    const answers = await Promise.all(
      emails.map((email, n) => calls.create(account.key, { email, phone: n % 2 ? '+8801711111111' : '8801711111111' })),
    );
    expect(statuses(answers)).toEqual([201, ...times(11, 409)]);
    const again = await Promise.all(emails.map((email) => calls.create(account.key, { email })));
    expect(statuses(again)).toEqual([...times(11, 201), 409]);
  });

  it('10 contacts change to the same email and phone: one 200, the others 409', async () => {
    const ids = await Promise.all(
      numbers(10).map(async (n) => (await calls.create(account.key, { email: `old${n}@example.com` })).body.data.id),
    );
    const wanted = { email: 'wanted@example.com', phone: '+8801722222222' };
    const answers = await Promise.all(ids.map((id) => calls.update(account.key, id, wanted)));
    expect(statuses(answers)).toEqual([200, ...times(9, 409)]);
    const winner = answers.find(({ status }) => status === 200)?.body.data;
    expect((await calls.list(account.key, { search: '8801722222222' })).body.data).toEqual([winner]);
    const old = await Promise.all(numbers(10).map((n) => calls.create(account.key, { email: `old${n}@example.com` })));
    expect(statuses(old)).toEqual([201, ...times(9, 409)]);
  });

  it('two contacts that swap emails never have the same one', async () => {
    const [a, b] = await Promise.all(
      ['swap-a@example.com', 'swap-b@example.com'].map(
        async (email) => (await calls.create(account.key, { email })).body.data,
      ),
    );
    const answers = await Promise.all([
      calls.update(account.key, a.id, { email: b.email }),
      calls.update(account.key, b.id, { email: a.email }),
    ]);
    expect(statuses(answers)).toEqual([409, 409]);
  });

  it('creations, sends and batches for one address create one contact', async () => {
    const email = 'everyone@example.com';
    const sends = numbers(10).map((n) => {
      const message = newEmail({ channel: 'email', to: email }, nthId(account.ref.id, n));
      return acceptEmail(world, account.ref, message);
    });
    const others = numbers(10).flatMap((n) => [
      calls.create(account.key, { email, firstName: `N${n}` }),
      calls.createAll(account.key, [{ email }, { email: email.toUpperCase() }]),
    ]);
    await Promise.all([...others, ...sends]);
    expect(await total({ search: email })).toBe(1);
  });

  it('5 equal batches create every row once', async () => {
    const before = await total({});
    const rows = numbers(12).map((n) => ({ email: `batch${n}@example.com`, phone: `+88017333330${10 + n}` }));
    const answers = await Promise.all(numbers(5).map(() => calls.createAll(account.key, rows)));
    const created = answers.map(({ body }) => body.data.created).reduce((sum, n) => sum + n, 0);
    const duplicates = answers.map(({ body }) => body.data.duplicates).reduce((sum, n) => sum + n, 0);
    expect([created, duplicates]).toEqual([12, 48]);
    expect(await total({})).toBe(before + 12);
  });

  it('20 changes of score and status of one contact are all kept', async () => {
    const { id } = (await calls.create(account.key, { email: 'score@example.com' })).body.data;
    await Promise.all(
      numbers(20).map((n) =>
        n % 4 === 0
          ? calls.setStatus(id, n % 8 === 0 ? 'bounced' : 'active')
          : world.contacts.change(account.ref, id, (before) => withScore(before, 2)),
      ),
    );
    expect((await world.contacts.find(account.ref, id))?.score).toBe(80);
    expect(await total({ minEngagementScore: '80' })).toBe(1);
    const sum = await Promise.all(['ACTIVE', 'BOUNCED'].map((status) => total({ status })));
    expect(sum[0] + sum[1]).toBe(await total({}));
  });
});
