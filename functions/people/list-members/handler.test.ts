import { afterAll, beforeAll, expect, it } from 'vitest';
import { type People, startPeople } from '../../../test/people-calls.ts';
import { startWorld, type World } from '../../../test/world.ts';
import { listMembersContract } from './contract.ts';
import { listMembers } from './handler.ts';

let world: World;
let people: People;
beforeAll(async () => {
  world = await startWorld();
  people = await startPeople(world);
});
afterAll(() => world.close());

it('200 lists members page by page', async () => {
  const { ref } = await world.newAccount();
  for (const name of ['ada', 'eve']) await people.add(ref.id, `${name}@example.com`, 'viewer');
  const page = async (query: Record<string, string>) =>
    (
      await people.call(listMembersContract, listMembers(world), await people.job(), {
        path: { id: ref.id },
        query,
      })
    ).body;
  const first = await page({ limit: '1' });
  const second = await page({ limit: '1', cursor: first.pagination.cursor });
  expect([first, second].flatMap(({ data }) => data.map(({ email }: { email: string }) => email)).sort()).toEqual([
    'ada@example.com',
    'eve@example.com',
  ]);
  expect(second.pagination.hasMore).toBe(false);
});
