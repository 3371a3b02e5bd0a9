import { afterAll, beforeAll, expect, it } from 'vitest';
import { type People, startPeople } from '../../../test/people-calls.ts';
import { startWorld, type World } from '../../../test/world.ts';
import { listAccountsContract } from './contract.ts';
import { listAccounts } from './handler.ts';

let world: World;
let people: People;
beforeAll(async () => {
  world = await startWorld();
  people = await startPeople(world);
});
afterAll(() => world.close());

it('200 lists all accounts for operators, their own for members, by a part of the name or the start of the id', async () => {
  const [mine, other] = [await world.newAccount(), await world.newAccount({ settings: { name: 'Other' } })];
  await people.add(mine.ref.id, 'ada@example.com', 'viewer');
  const ids = async (who: Awaited<ReturnType<People['job']>>, query?: Record<string, string>) => {
    const { body } = await people.call(listAccountsContract, listAccounts(world), who, query ? { query } : {});
    return body.data.map(({ id }: { id: string }) => id);
  };
  expect(await ids(await people.signIn('ada@example.com'))).toEqual([mine.ref.id]);
  expect((await ids(await people.job())).sort()).toEqual([mine.ref.id, other.ref.id].sort());
  expect(await ids(await people.job(), { search: 'OTH' })).toEqual([other.ref.id]);
  const start = other.ref.id.slice(0, 8);
  const alike = [mine.ref.id, other.ref.id].filter((id) => id.startsWith(start));
  expect((await ids(await people.job(), { search: start.toUpperCase() })).sort()).toEqual(alike.sort());
});
