import { afterAll, beforeAll, expect, it } from 'vitest';
import { timeOfId } from '../../../shared/kit/id.ts';
import { iso } from '../../../shared/kit/time.ts';
import { type People, startPeople } from '../../../test/people-calls.ts';
import { startWorld, type World } from '../../../test/world.ts';
import { getMeContract } from './contract.ts';
import { getMe } from './handler.ts';

let world: World;
let people: People;
beforeAll(async () => {
  world = await startWorld();
  people = await startPeople(world);
});
afterAll(() => world.close());

it('200 names the person with their accounts, or the token', async () => {
  const { ref } = await world.newAccount();
  await people.add(ref.id, 'ada@example.com', 'developer');
  const who = await people.signIn('ada@example.com');
  expect((await people.call(getMeContract, getMe(world), who)).body.data).toEqual({
    ...{ kind: 'session', email: 'ada@example.com', name: null, isOperator: false },
    accounts: [{ id: ref.id, name: 'Test', status: 'active', createdAt: iso(timeOfId(ref.id)), role: 'developer' }],
    sessionId: who.caller.id,
    expiresAt: who.caller.expiresAt,
  });
  expect((await people.call(getMeContract, getMe(world), await people.job())).body.data).toEqual({
    ...{ kind: 'token', email: null, name: 'job', isOperator: true, accounts: [], sessionId: null, expiresAt: null },
  });
});
