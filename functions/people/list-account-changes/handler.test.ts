import { afterAll, beforeAll, expect, it } from 'vitest';
import { type People, startPeople } from '../../../test/people-calls.ts';
import { startWorld, type World } from '../../../test/world.ts';
import { listAccountChangesContract } from './contract.ts';
import { listAccountChanges } from './handler.ts';

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
    (
      await people.call(listAccountChangesContract, listAccountChanges(world), who, {
        account: ref,
        path: { id: ref.id },
        query,
      })
    ).body;
  const first = await page({ limit: '2' });
  const second = await page({ limit: '2', cursor: first.pagination.cursor });
  const actions = [first, second].flatMap(({ data }) => data.map(({ action }: { action: string }) => action));
  expect(actions).toEqual(['POST /3', 'POST /2', 'POST /1']);
  expect(second.pagination).toEqual({ cursor: null, hasMore: false });
});
