import { afterAll, beforeAll, expect, it } from 'vitest';
import { platform } from '../../../shared/people/person.ts';
import { type People, startPeople } from '../../../test/people-calls.ts';
import { startWorld, type World } from '../../../test/world.ts';
import { removeOperatorContract } from './contract.ts';
import { removeOperator } from './handler.ts';

let world: World;
let people: People;
beforeAll(async () => {
  world = await startWorld();
  people = await startPeople(world);
});
afterAll(() => world.close());

it('204 removes an operator, 409 for the last one', async () => {
  for (const name of ['ada', 'eve']) await people.addOperator(`${name}@example.com`);
  const operators = await world.members.list(platform, { cursor: undefined, limit: 10 });
  const remove = async (index: number) =>
    (
      await people.call(removeOperatorContract, removeOperator(world) as never, await people.job(), {
        path: { operatorId: operators[index]?.id ?? '' },
      })
    ).status;
  expect([await remove(0), await remove(0), await remove(1)]).toEqual([204, 404, 409]);
});
