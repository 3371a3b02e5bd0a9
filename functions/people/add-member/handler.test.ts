import { afterAll, beforeAll, expect, it } from 'vitest';
import type { PeopleCaller } from '../../../shared/http/people-surface.ts';
import { dayMinutes } from '../../../shared/kit/time.ts';
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
    people.call(addMemberContract, addMember(world), await people.job(), {
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
  const { message } = (await add('Ada <ada@example.com>')).body.error;
  expect(message).toBe('email: must be an email address alone, without a name');
});

it('400 refuses the 51st invitation by members of an account in a day; operators invite more', async () => {
  const { ref } = await world.newAccount();
  await people.add(ref.id, 'owner@example.com', 'owner');
  const add = async (who: PeopleCaller, email: string) =>
    people.call(addMemberContract, addMember(world), who, {
      path: { id: ref.id },
      body: { email, role: 'viewer' },
    });
  // Of tomorrow, too: the test may run over midnight.
  for (const atMs of [Date.now(), Date.now() + dayMinutes * 60_000])
    await world.rates.count(`invitations ${ref.id}`, atMs, { calls: 49, windowMinutes: dayMinutes });
  const owner = await people.signIn('owner@example.com');
  expect((await add(owner, 'last@example.com')).status).toBe(201);
  const { status, body } = await add(owner, 'many@example.com');
  expect([status, body.error.code, body.error.message]).toEqual([
    400,
    'invalid_request',
    'email: the account has reached its limit of 50 invitations a day; invite others tomorrow',
  ]);
  expect((await world.members.list(ref.id, { cursor: undefined, limit: 10 })).length).toBe(2);
  expect((await add(await people.job(), 'many@example.com')).status).toBe(201);
});
