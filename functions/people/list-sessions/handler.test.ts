import { afterAll, beforeAll, expect, it } from 'vitest';
import { type People, startPeople } from '../../../test/people-calls.ts';
import { startWorld, type World } from '../../../test/world.ts';
import { listSessionsContract } from './contract.ts';
import { listSessions } from './handler.ts';

let world: World;
let people: People;
beforeAll(async () => {
  world = await startWorld();
  people = await startPeople(world);
});
afterAll(() => world.close());

it('200 lists the caller’s own sessions and marks the current one', async () => {
  await people.addOperator('ada@example.com');
  const first = await people.signIn('ada@example.com', Date.now() - 5_000);
  const second = await people.signIn('ada@example.com');
  const { body } = await people.call(listSessionsContract, listSessions(world), second);
  expect(body.data.map(({ id, isCurrent, address }: Record<string, unknown>) => [id, isCurrent, address])).toEqual([
    [second.caller.id, true, '203.0.113.7'],
    [first.caller.id, false, '203.0.113.7'],
  ]);
});
