import { afterAll, beforeAll, expect, it } from 'vitest';
import { type People, startPeople } from '../../../test/people-calls.ts';
import { startWorld, type World } from '../../../test/world.ts';
import { changeMemberContract } from './contract.ts';
import { changeMember } from './handler.ts';

let world: World;
let people: People;
beforeAll(async () => {
  world = await startWorld();
  people = await startPeople(world);
});
afterAll(() => world.close());

it('200 changes the role, 409 for the last owner, 404 for another account’s member', async () => {
  const [{ ref }, other] = [await world.newAccount(), await world.newAccount()];
  await people.add(ref.id, 'ada@example.com', 'owner');
  await people.add(ref.id, 'eve@example.com', 'viewer');
  const members = await world.members.list(ref.id, { cursor: undefined, limit: 10 });
  const change = async (account: typeof ref, email: string, role: string) => {
    const memberId = members.find((each) => each.email === email)?.id ?? '';
    return people.call(changeMemberContract, changeMember(world), await people.job(), {
      account,
      path: { id: account.id, memberId },
      body: { role },
    });
  };
  expect((await change(ref, 'ada@example.com', 'viewer')).status).toBe(409);
  expect((await change(ref, 'eve@example.com', 'owner')).body.data.role).toBe('owner');
  expect((await change(ref, 'ada@example.com', 'viewer')).status).toBe(200);
  expect((await change(other.ref, 'ada@example.com', 'owner')).status).toBe(404);
});
