import { expect } from 'vitest';
import type { Answered } from './call.ts';
import { startPeople } from './people-calls.ts';
import type { World } from './world.ts';

type People = Awaited<ReturnType<typeof startPeople>>;
type Who = Awaited<ReturnType<People['signIn']>>;

/** `create`: makes a key with this limit for an account. A member may slow it down only, an operator may set any. */
export const expectLimitOfMembers = async (
  world: World,
  create: (people: People, who: Who, account: string, rateLimitPerMinute?: number) => Promise<Answered>,
): Promise<void> => {
  const { ref } = await world.newAccount();
  const people = await startPeople(world);
  await people.add(ref.id, 'owner@example.com', 'owner');
  const owner = await people.signIn('owner@example.com');
  for (const limit of [undefined, 1, 1_000]) expect((await create(people, owner, ref.id, limit)).status).toBe(201);
  const { status, body } = await create(people, owner, ref.id, 1_001);
  const message = 'rateLimitPerMinute: only an operator of the platform may set more than 1,000';
  expect([status, body.error]).toMatchObject([403, { code: 'forbidden_scope', message }]);
  expect((await create(people, await people.job(), ref.id, 1_000_000)).status).toBe(201);
};
