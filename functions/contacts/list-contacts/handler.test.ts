import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { withScore } from '../../../shared/contacts/contact.ts';
import { type ContactCalls, contactCalls } from '../../../test/contacts-calls.ts';
import { startWorld, type TestAccount, type World } from '../../../test/world.ts';

const startMs = Date.parse('2026-11-20T12:00:00.000Z');
const count = 25;
const statuses = ['active', 'unsubscribed', 'bounced', 'complained', 'quarantined'];

let world: World;
let calls: ContactCalls;
let account: TestAccount;
/** Oldest first, one a second. */
let ids: string[];

beforeAll(async () => {
  world = await startWorld();
  account = await world.newAccount();
  let nowMs = startMs;
  calls = contactCalls(world, () => nowMs);
  ids = [];
  for (let n = 0; n < count; n += 1) {
    nowMs = startMs + n * 1_000;
    const { body } = await calls.create(account.key, {
      email: `Person.${n}@example.com`,
      phone: `+88017000000${String(n).padStart(2, '0')}`,
      firstName: `Zoë${n % 2 === 0 ? ' Maria' : ''}`,
      lastName: `O'Neil-${n}`,
      tags: [n % 2 === 0 ? 'even' : 'odd', ...(n % 5 === 0 ? ['fifth', 'with space'] : [])],
      source: n % 3 === 0 ? 'import' : 'web form',
    });
    ids.push(body.data.id);
  }
  nowMs = startMs + 60_000;
  for (const [n, id] of ids.entries()) {
    if (n % 5 !== 0) await world.contacts.setStatus(account.ref, id, statuses[n % 5] as 'bounced', nowMs);
    await world.contacts.change(account.ref, id, (before) => withScore(before, (n % 4) * 10));
  }
});
afterAll(() => world.close());

const list = async (query: Record<string, string> = {}, key = account.key) => {
  const { status, body } = await calls.list(key, query);
  const data: { readonly id: string }[] = body.data ?? [];
  return {
    status,
    numbers: data.map(({ id }) => ids.indexOf(id)),
    data,
    pagination: body.pagination,
    error: body.error,
  };
};

const all = Array.from({ length: count }, (_, n) => n);
const newestFirst = all.toReversed();
const found = async (query: Record<string, string>) => {
  const { numbers, pagination } = await list({ ...query, limit: '100' });
  expect(pagination.total).toBe(numbers.length);
  return numbers;
};

describe('GET /contacts', () => {
  it('200 gives the 20 newest, whole, and how many there are', async () => {
    const { numbers, data, pagination } = await list();
    expect(numbers).toEqual(newestFirst.slice(0, 20));
    expect(pagination).toEqual({ page: 1, limit: 20, total: 25, totalPages: 2 });
    for (const contact of data) expect((await calls.get(account.key, contact.id)).body.data).toEqual(contact);
  });

  it('200 has every contact on exactly one page, regardless of their size', async () => {
    const limitsOf = { createdAt: [1, 7, 24, 25, 100], updatedAt: [7], engagementScore: [7] };
    for (const [sortBy, limits] of Object.entries(limitsOf)) {
      for (const limit of limits) {
        const seen: number[] = [];
        for (let page = 1; page <= Math.ceil(count / limit); page += 1) {
          const { numbers, pagination } = await list({ page: `${page}`, limit: `${limit}`, sortBy });
          expect(pagination).toEqual({ page, limit, total: count, totalPages: Math.ceil(count / limit) });
          seen.push(...numbers);
        }
        expect(seen.toSorted((a, b) => a - b)).toEqual(all);
      }
    }
  });

  it('200 takes the first six pages from the contacts themselves, in one query beside that of their number', async () => {
    const asked: string[] = [];
    const stop = world.calls.tap('asked', (next) => (name, input) => {
      const text = JSON.stringify(input);
      if (text.includes('#CONTACT') || text.includes('#IX#')) asked.push(name);
      return next(name, input);
    });
    for (const page of [1, 6]) expect((await list({ page: `${page}`, limit: '2' })).data).toHaveLength(2);
    stop();
    expect(asked).toEqual(['Query', 'Query', 'Query', 'Query']);
  });

  it('200 shows a contact once whose status changes while a later page is read', async () => {
    const { ref, key } = await world.newAccount();
    const made: string[] = [];
    for (let n = 0; n < 8; n += 1) made.push((await calls.create(key, { email: `${n}@example.com` })).body.data.id);
    // Those of one millisecond are in the order of their ids.
    made.sort();
    const changed = Promise.withResolvers<void>();
    const stop = world.calls.tap('change', (next) => async (name, input) => {
      const [, status] = (name === 'Query' && /#IX#status#(\w+)/.exec(JSON.stringify(input))) || [];
      if (status !== undefined && status !== 'active') await changed.promise;
      const answer = await next(name, input);
      if (status === 'active') {
        await world.contacts.setStatus(ref, made[4] ?? '', 'bounced', startMs);
        changed.resolve();
      }
      return answer;
    });
    const { data } = await list({ page: '8', limit: '1' }, key);
    stop();
    expect(data.map(({ id }) => id)).toEqual([made[0]]);
  });

  it('200 gives an empty page beyond the last', async () => {
    for (const page of ['3', '999999999999999']) {
      for (const query of [{}, { tags: 'even' }, { search: 'zoe' }, { tags: 'even,odd', sortBy: 'updatedAt' }]) {
        const { status, numbers, pagination } = await list({ ...query, page });
        expect([status, numbers, pagination.page]).toEqual([200, [], Number(page)]);
        expect(pagination.total).toBeGreaterThan(0);
      }
    }
  });

  it('200 gives nothing of an account without contacts', async () => {
    const { key } = await world.newAccount();
    for (const query of [{}, { search: 'zoe' }, { status: 'ACTIVE' }, { sortBy: 'updatedAt' }, { tags: 'even' }]) {
      const { status, data, pagination } = await list(query as Record<string, string>, key);
      expect([status, data, pagination]).toEqual([200, [], { page: 1, limit: 20, total: 0, totalPages: 0 }]);
    }
  });

  it.each(statuses)('200 filters by the status %s, in upper case', async (status) => {
    expect(await found({ status: status.toUpperCase() })).toEqual(
      newestFirst.filter((n) => statuses[n % 5] === status),
    );
  });

  it('200 filters by any of the tags', async () => {
    expect(await found({ tags: 'even' })).toEqual(newestFirst.filter((n) => n % 2 === 0));
    expect(await found({ tags: 'odd,fifth' })).toEqual(newestFirst.filter((n) => n % 2 === 1 || n % 5 === 0));
    expect(await found({ tags: 'fifth,fifth,with space,unknown' })).toEqual([20, 15, 10, 5, 0]);
    expect(await found({ tags: ' fifth , unknown,' })).toEqual([20, 15, 10, 5, 0]);
    expect(await found({ tags: 'Even' })).toEqual([]);
    expect(await found({ tags: 'eve' })).toEqual([]);
    expect(await found({ tags: '' })).toEqual(newestFirst);
  });

  it('200 filters by the exact source', async () => {
    expect(await found({ source: 'import' })).toEqual(newestFirst.filter((n) => n % 3 === 0));
    expect(await found({ source: 'web form' })).toEqual(newestFirst.filter((n) => n % 3 !== 0));
    for (const source of ['Import', 'imp', 'import ', '']) expect(await found({ source })).toEqual([]);
  });

  it('200 filters by the time of creation, both ends included', async () => {
    const at = (n: number, moreMs = 0) => new Date(startMs + n * 1_000 + moreMs).toISOString();
    expect(await found({ createdAfter: at(20) })).toEqual([24, 23, 22, 21, 20]);
    expect(await found({ createdAfter: at(20, 1) })).toEqual([24, 23, 22, 21]);
    expect(await found({ createdBefore: at(2) })).toEqual([2, 1, 0]);
    expect(await found({ createdBefore: at(2, -1) })).toEqual([1, 0]);
    expect(await found({ createdAfter: at(3), createdBefore: at(3) })).toEqual([3]);
    expect(await found({ createdAfter: at(4), createdBefore: at(3) })).toEqual([]);
    expect(await found({ createdAfter: '2026-11-20T18:00:20+06:00' })).toEqual([24, 23, 22, 21, 20]);
    expect(await found({ createdAfter: '2026-11-21' })).toEqual([]);
    expect(await found({ createdBefore: '1969-01-01' })).toEqual([]);
  });

  it('200 filters by the engagement score, at or above', async () => {
    expect(await found({ minEngagementScore: '80' })).toEqual(newestFirst.filter((n) => n % 4 === 3));
    expect(await found({ minEngagementScore: '70' })).toEqual(newestFirst.filter((n) => n % 4 >= 2));
    expect(await found({ minEngagementScore: '81' })).toEqual([]);
    expect(await found({ minEngagementScore: '100' })).toEqual([]);
    expect(await found({ minEngagementScore: '0' })).toEqual(newestFirst);
    expect(await found({ minEngagementScore: '-1' })).toEqual(newestFirst);
    for (const score of ['101', '999999999999999']) expect(await found({ minEngagementScore: score })).toEqual([]);
  });

  it.each([
    ['a whole email, in any case', 'PERSON.7@example.com', [7]],
    ['a whole phone', '+8801700000007', [7]],
    ['a whole phone without its +', '8801700000007', [7]],
    ['a whole phone whose + became a blank', ' 8801700000007', [7]],
    ['the start of a first name', 'zo', newestFirst],
    ['the start of a word of a first name', 'mar', newestFirst.filter((n) => n % 2 === 0)],
    ['accents and case aside', 'ZOË', newestFirst],
    ['part of a last name', 'neil', newestFirst],
    ['a whole last name', "O'Neil-24", [24]],
    ['several words, all of which match', 'maria 2', [24, 22, 20, 2]],
    ['a word of a name and an email', 'maria person.8@example.com', [8]],
    ['another contact’s email beside a word', 'maria person.7@example.com', []],
    ['blanks around and between', '  zoe   o  ', newestFirst],
    ['blanks only', '   ', newestFirst],
    ['the middle of a word', 'oe', []],
    ['part of an email', 'person.7@example', []],
    ['part of a phone', '88017000000', []],
    ['signs only', '--', []],
    ['something else', 'max', []],
  ])('200 searches for %s', async (_, search, expected) => {
    expect(await found({ search })).toEqual(expected);
  });

  it('200 sorts by each column either way, ties by id the same way', async () => {
    const byScore = all.toSorted((a, b) => (a % 4) - (b % 4) || a - b);
    expect(await found({ sortOrder: 'asc' })).toEqual(all);
    expect(await found({ sortBy: 'createdAt', sortOrder: 'desc' })).toEqual(newestFirst);
    expect(await found({ sortBy: 'engagementScore', sortOrder: 'asc' })).toEqual(byScore);
    expect(await found({ sortBy: 'engagementScore' })).toEqual(byScore.toReversed());
    const isMoved = (n: number) => n % 5 !== 0;
    const byUpdate = [...all.filter((n) => !isMoved(n)), ...all.filter(isMoved)];
    expect(await found({ sortBy: 'updatedAt', sortOrder: 'asc' })).toEqual(byUpdate);
    expect(await found({ sortBy: 'updatedAt' })).toEqual(byUpdate.toReversed());
  });

  it('200 combines filters, order and pages', async () => {
    const query = { tags: 'even,fifth', source: 'web form', search: 'o', sortBy: 'engagementScore', sortOrder: 'asc' };
    const expected = all
      .filter((n) => (n % 2 === 0 || n % 5 === 0) && n % 3 !== 0)
      .toSorted((a, b) => (a % 4) - (b % 4) || a - b);
    expect(await found(query)).toEqual(expected);
    const { numbers, pagination } = await list({ ...query, page: '2', limit: '4' });
    expect(numbers).toEqual(expected.slice(4, 8));
    expect(pagination).toEqual({
      page: 2,
      limit: 4,
      total: expected.length,
      totalPages: Math.ceil(expected.length / 4),
    });
    expect(await found({ status: 'ACTIVE', minEngagementScore: '60', createdBefore: '2026-11-20T12:00:15Z' })).toEqual([
      15, 10, 5,
    ]);
  });

  it.each([
    ['page', '0'],
    ['page', '-1'],
    ['page', '1.5'],
    ['page', 'one'],
    ['limit', '0'],
    ['limit', '101'],
    ['limit', ''],
    ['status', 'active'],
    ['status', 'RETIRED'],
    ['createdAfter', 'yesterday'],
    ['createdBefore', '2026-13-01'],
    ['minEngagementScore', 'high'],
    ['minEngagementScore', '50.5'],
    ['sortBy', 'email'],
    ['sortBy', 'score'],
    ['sortOrder', 'ASC'],
  ])('400 refuses %s=%s', async (name, value) => {
    const { status, error } = await list({ [name]: value });
    expect([status, error.code]).toEqual([400, 'invalid_request']);
    expect(error.message).toMatch(new RegExp(`^${name}: `));
  });

  it('200 finds a tag that begins or ends with a space as it is written, and another one with spaces around it', async () => {
    const { key } = await world.newAccount();
    const ids: string[] = [];
    for (const [n, tag] of [' vip', 'vip', 'gold '].entries())
      ids.push((await calls.create(key, { email: `${n}@example.com`, tags: [tag] })).body.data.id);
    const foundBy = async (tags: string) =>
      (await calls.list(key, { tags })).body.data.map(({ id }: { id: string }) => ids.indexOf(id)).sort();
    expect(await foundBy('vip')).toEqual([1]);
    expect(await foundBy(' vip')).toEqual([0, 1]);
    expect(await foundBy('gold , vip')).toEqual([0, 1, 2]);
    expect(await foundBy(' , ')).toEqual([0, 1, 2]);
  });

  it('200 takes 100 tags, 400 refuses 101', async () => {
    const tags = Array.from({ length: 101 }, (_, n) => `tag${n}`);
    expect((await list({ tags: tags.slice(1).join(',') })).status).toBe(200);
    expect((await list({ tags: tags.join(',') })).error.message).toBe('tags: must be at most 100 tags');
  });
});
