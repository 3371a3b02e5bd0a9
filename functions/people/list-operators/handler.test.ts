import { afterAll, beforeAll, expect, it } from 'vitest';
import { type People, startPeople } from '../../../test/people-calls.ts';
import { startWorld, type World } from '../../../test/world.ts';
import { listOperatorsContract } from './contract.ts';
import { listOperators } from './handler.ts';

let world: World;
let people: People;
beforeAll(async () => {
  world = await startWorld();
  people = await startPeople(world);
});
afterAll(() => world.close());

it('200 lists operators', async () => {
  await people.addOperator('ada@example.com');
  const { body } = await people.call(listOperatorsContract, listOperators(world), await people.job());
  expect(body.data).toEqual([expect.objectContaining({ email: 'ada@example.com', invitedBy: 'test' })]);
});
