import { afterAll, beforeAll, expect, it } from 'vitest';
import { type People, startPeople } from '../../../test/people-calls.ts';
import { startWorld, type World } from '../../../test/world.ts';
import { addMemberContract } from './contract.ts';
import { addMember } from './handler.ts';

let world: World;
let people: People;
beforeAll(async () => {
  world = await startWorld();
  people = await startPeople(world);
});
afterAll(() => world.close());

it('201 adds a person once, however their address is written', async () => {
  const { ref } = await world.newAccount();
  const add = async (email: string) =>
    people.call(addMemberContract, addMember(world) as never, await people.job(), {
      path: { id: ref.id },
      body: { email, role: 'viewer' },
    });
  expect((await add('Ada@Example.com')).body.data).toMatchObject({
    email: 'ada@example.com',
    role: 'viewer',
    invitedBy: 'job',
  });
  expect((await add('ada@example.com')).status).toBe(409);
  expect((await add('nobody')).status).toBe(400);
});
