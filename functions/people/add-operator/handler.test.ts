import { afterAll, beforeAll, expect, it } from 'vitest';
import { type People, startPeople } from '../../../test/people-calls.ts';
import { startWorld, type World } from '../../../test/world.ts';
import { addOperatorContract } from './contract.ts';
import { addOperator } from './handler.ts';

let world: World;
let people: People;
beforeAll(async () => {
  world = await startWorld();
  people = await startPeople(world);
});
afterAll(() => world.close());

it('201 adds an operator, 409 when they are one', async () => {
  const add = async () =>
    people.call(addOperatorContract, addOperator(world), await people.job(), {
      body: { email: 'ada@example.com' },
    });
  expect((await add()).body.data).toMatchObject({ email: 'ada@example.com', invitedBy: 'job' });
  expect((await add()).status).toBe(409);
});
