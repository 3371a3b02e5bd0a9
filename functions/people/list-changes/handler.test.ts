import { afterAll, beforeAll, expect, it } from 'vitest';
import { newId } from '../../../shared/kit/id.ts';
import { type People, startPeople } from '../../../test/people-calls.ts';
import { startWorld, type World } from '../../../test/world.ts';
import { listChangesContract } from './contract.ts';
import { listChanges } from './handler.ts';

let world: World;
let people: People;
beforeAll(async () => {
  world = await startWorld();
  people = await startPeople(world);
});
afterAll(() => world.close());

it('200 lists changes newest first, page by page', async () => {
  const { ref } = await world.newAccount();
  const who = await people.job();
  const nowMs = Date.now() - 10_000;
  for (const n of [1, 2, 3])
    await world.audit.begin({ ...who.lent, action: `POST /${n}`, resource: '/', account: ref.id }, nowMs + n);
  const page = async (query: Record<string, string>) =>
    (await people.call(listChangesContract, listChanges(world), who, { query })).body;
  const first = await page({ limit: '2' });
  const second = await page({ limit: '2', cursor: first.pagination.cursor });
  const actions = [first, second].flatMap(({ data }) => data.map(({ action }: { action: string }) => action));
  expect(actions).toEqual(['POST /3', 'POST /2', 'POST /1']);
  expect(second.pagination).toEqual({ cursor: null, hasMore: false });
});

it('200 has no changes after a cursor that is older than `from`', async () => {
  const query = { cursor: newId(Date.parse('2026-11-20T12:00:00Z')), from: '2026-11-21T12:00:00Z' };
  const { status, body } = await people.call(listChangesContract, listChanges(world), await people.job(), {
    query,
  });
  expect([status, body]).toEqual([200, { data: [], pagination: { cursor: null, hasMore: false } }]);
});

it('200 lists the changes up to now where `to` is years ahead', async () => {
  const who = await people.job();
  await world.audit.begin({ ...who.lent, action: 'POST /latest', resource: '/', account: undefined }, Date.now());
  const query = { to: '2100-01-01T00:00:00Z', limit: '1' };
  const { body } = await people.call(listChangesContract, listChanges(world), who, { query });
  expect(body.data).toMatchObject([{ action: 'POST /latest' }]);
});
