import { afterAll, beforeAll, expect, it } from 'vitest';
import { type People, startPeople } from '../../../test/people-calls.ts';
import { startWorld, type World } from '../../../test/world.ts';
import { endSessionContract } from './contract.ts';
import { endSession } from './handler.ts';

let world: World;
let people: People;
beforeAll(async () => {
  world = await startWorld();
  people = await startPeople(world);
});
afterAll(() => world.close());

it('204 ends one of the caller’s own sessions, 404 for another person’s', async () => {
  await people.addOperator('ada@example.com');
  await people.addOperator('eve@example.com');
  const [ada, eve] = [await people.signIn('ada@example.com'), await people.signIn('eve@example.com')];
  const end = async (who: typeof ada) =>
    (await people.call(endSessionContract, endSession(world) as never, who, { path: { sessionId: ada.caller.id } }))
      .status;
  expect([await end(eve), await end(ada), await end(ada)]).toEqual([404, 204, 404]);
});
