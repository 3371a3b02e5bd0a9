import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { withScore } from '../shared/contacts/contact.ts';
import { firstIdAt, lastIdAt } from '../shared/kit/id.ts';
import { contactPages } from '../shared/table/contacts/contact-list.ts';
import { partitions } from '../shared/table/keys.ts';
import { contactCalls } from './contacts-calls.ts';
import { startWorld, type World } from './world.ts';

// DynamoDB returns at most 1 MB per query page; these contacts are larger.

const count = 120;
const customFields = { note: 'x'.repeat(10_000) };

let world: World;
beforeAll(async () => {
  world = await startWorld();
});
afterAll(() => world.close());

it('200 returns whole pages and exact totals of contacts beyond 1 MB', async () => {
  const { ref, key } = await world.newAccount();
  const calls = contactCalls(world);
  const rows = Array.from({ length: count }, (_, n) => ({
    email: `person${n}@example.com`,
    tags: ['a'],
    customFields,
  }));
  const created = (await calls.createAll(key, rows)).body.data.results.map(({ id }: { id: string }) => id);
  const page = { limit: '100', sortOrder: 'asc' };
  for (const query of [
    page,
    { ...page, tags: 'a' },
    { ...page, search: '', sortBy: 'updatedAt', createdAfter: '2000-01-01' },
  ]) {
    const { body } = await calls.list(key, query);
    expect(body.data.map(({ id }: { id: string }) => id)).toEqual(created.slice(0, 100));
    expect(body.pagination).toEqual({ page: 1, limit: 100, total: count, totalPages: 2 });
  }
  const everything = { from: firstIdAt(0), to: lastIdAt(Number.MAX_SAFE_INTEGER) };
  const isConsistent: unknown[] = [];
  const stopTap = world.calls.tap('counts', (next) => (name, input) => {
    isConsistent.push((input as { ConsistentRead?: boolean }).ConsistentRead);
    return next(name, input);
  });
  expect(await world.table.count(partitions.contacts(ref.id), everything)).toBe(count);
  stopTap();
  // Behind the newest megabyte, rows are counted at half the price.
  expect(isConsistent).toEqual([true, false]);
  const items = await world.table.query(partitions.contacts(ref.id), { ...everything, newestFirst: false });
  expect(items.map(({ SK }) => SK)).toEqual(created);
});

it('200 reads no more of index rows than what it needs, of which an account may have a million', async () => {
  const { key } = await world.newAccount();
  const calls = contactCalls(world);
  const rows = Array.from({ length: 3 }, (_, n) => ({ email: `person${n}@example.com`, tags: ['a'], source: 's' }));
  await calls.createAll(key, rows);
  const attributes = new Set<string>();
  const stopTap = world.calls.tap('rows', (next) => async (name, input) => {
    const answer: { Items?: object[] } = await next(name, input);
    const rows = JSON.stringify(input).includes('#IX#') ? (answer.Items ?? []) : [];
    for (const attribute of rows.flatMap(Object.keys)) attributes.add(attribute);
    return answer;
  });
  for (const filter of [{ tags: 'a', source: 's' }, { status: 'ACTIVE', minEngagementScore: '50' }, { page: '2' }])
    expect((await calls.list(key, { ...filter, sortBy: 'updatedAt' })).body.pagination.total).toBe(3);
  await calls.list(key, { sortBy: 'engagementScore' });
  stopTap();
  expect([...attributes].sort()).toEqual(['GSI2SK', 'SK']);
});

it('400 says how to narrow filters that match more contacts than one request can look through', async () => {
  const { key } = await world.newAccount();
  const list = contactPages(world.table, world.vault, { few: 0, most: 7 });
  const calls = contactCalls({ ...world, contacts: { ...world.contacts, list } });
  const rows = Array.from({ length: 4 }, (_, n) => ({ email: `person${n}@example.com`, tags: ['a'], source: 's' }));
  await calls.createAll(key, rows);
  const [few, others] = [
    { tags: 'b', source: 's' },
    { tags: 'a', source: 's' },
  ];
  for (const filter of [{ tags: 'a' }, few, { ...few, sortBy: 'updatedAt' }])
    expect((await calls.list(key, filter)).status).toBe(200);
  const { status, body } = await calls.list(key, others);
  expect([status, body.error.code, body.error.message]).toEqual([
    400,
    'invalid_request',
    'filters: more than 7 contacts to look through; add a filter that few contacts match, or use GET /contacts/export',
  ]);
});

describe('lists of an account that has more contacts than one request can look through', () => {
  const [count, tagged] = [170, 4];
  let key: string;
  let calls: ReturnType<typeof contactCalls>;
  beforeAll(async () => {
    const account = await world.newAccount();
    key = account.key;
    const list = contactPages(world.table, world.vault, { few: 3, most: 30 });
    calls = contactCalls({ ...world, contacts: { ...world.contacts, list } });
    const rows = Array.from({ length: count }, (_, n) => ({
      email: `person${n}@example.com`,
      tags: [n < tagged ? 'a' : 'b', ...(n < 20 ? ['c'] : [])],
    }));
    const created: { id: string }[] = (await calls.createAll(key, rows)).body.data.results;
    for (const [n, { id }] of created.slice(0, tagged).entries()) {
      await world.contacts.change(account.ref, id, (before) => withScore(before, 15 + n));
    }
  });

  it.each([
    ['updatedAt', {}],
    ['updatedAt', { createdAfter: '2000-01-01' }],
    ['engagementScore', {}],
    ['engagementScore', { minEngagementScore: '60' }],
    ['updatedAt', { minEngagementScore: '65' }],
    ['createdAt', { minEngagementScore: '65' }],
    ['createdAt', { status: 'ACTIVE' }],
    ['updatedAt', { status: 'ACTIVE' }],
    ['engagementScore', { minEngagementScore: '5', status: 'ACTIVE' }],
  ])('200 puts a few that match in the order of %s with %j', async (sortBy, filter) => {
    const query = { tags: 'a', sortBy, sortOrder: 'asc', limit: '3', ...filter };
    const pages = await Promise.all(['1', '2'].map((page) => calls.list(key, { ...query, page })));
    expect(pages.map(({ status }) => status)).toEqual([200, 200]);
    const emails = pages.flatMap(({ body }) => body.data.map(({ email }: { email: string }) => email));
    expect(emails).toEqual(Array.from({ length: tagged }, (_, n) => `person${n}@example.com`));
    expect(pages.map(({ body }) => body.pagination.total)).toEqual([tagged, tagged]);
  });

  it('200 reads the rows of a filter once, in each order', async () => {
    for (const sortBy of ['createdAt', 'updatedAt', 'engagementScore']) {
      let reads = 0;
      const stopTap = world.calls.tap('tags', (next) => (name, input) => {
        if (JSON.stringify(input).includes('#IX#tag')) reads += 1;
        return next(name, input);
      });
      await calls.list(key, { tags: 'a,unknown', minEngagementScore: '65', sortBy });
      stopTap();
      expect([sortBy, reads]).toEqual([sortBy, 2]);
    }
  });

  it.each([
    [
      'filters that match many, in another order',
      { tags: 'c', sortBy: 'updatedAt' },
      /^filters: more than 30 contacts to look through; /,
    ],
    [
      'a late page of all',
      { page: '4', limit: '10', sortBy: 'updatedAt' },
      /^page: more than 30 contacts to read to reach it; /,
    ],
  ])('400 refuses %s', async (_, query, message) => {
    const { status, body } = await calls.list(key, query as Record<string, string>);
    expect([status, body.error?.message]).toEqual([400, expect.stringMatching(message)]);
  });
});
