import { afterAll, beforeAll, expect, it } from 'vitest';
import { type People, startPeople } from '../../../test/people-calls.ts';
import { startWorld, type World } from '../../../test/world.ts';
import { removeMemberContract } from './contract.ts';
import { removeMember } from './handler.ts';

let world: World;
let people: People;
beforeAll(async () => {
  world = await startWorld();
  people = await startPeople(world);
});
afterAll(() => world.close());

it('204 removes a member and ends their keys, 409 for the last owner', async () => {
  const { ref } = await world.newAccount();
  await people.add(ref.id, 'ada@example.com', 'owner');
  await people.add(ref.id, 'eve@example.com', 'owner');
  const members = await world.members.list(ref.id, { cursor: undefined, limit: 10 });
  const remove = async (index: number) =>
    (
      await people.call(removeMemberContract, removeMember(world) as never, await people.job(), {
        account: ref,
        path: { id: ref.id, memberId: members[index]?.id ?? '' },
      })
    ).status;
  expect([await remove(0), await remove(0), await remove(1)]).toEqual([204, 404, 409]);
});
