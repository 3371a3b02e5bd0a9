import { afterAll, beforeAll, expect, it } from 'vitest';
import { firstIdAt, lastIdAt } from '../shared/kit/id.ts';
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
  expect(await world.table.count(partitions.contacts(ref.id), everything)).toBe(count);
  const items = await world.table.query(partitions.contacts(ref.id), { ...everything, newestFirst: false });
  expect(items.map(({ SK }) => SK)).toEqual(created);
});
