import { afterAll, beforeAll, expect, it } from 'vitest';
import { type People, startPeople } from '../../../test/people-calls.ts';
import { startWorld, type World } from '../../../test/world.ts';
import { listOperatorTokensContract } from './contract.ts';
import { listOperatorTokens } from './handler.ts';

let world: World;
let people: People;
beforeAll(async () => {
  world = await startWorld();
  people = await startPeople(world);
});
afterAll(() => world.close());

it('200 lists tokens without their secrets', async () => {
  const { body, text } = await people.call(listOperatorTokensContract, listOperatorTokens(world), await people.job());
  expect(body.data).toEqual([expect.objectContaining({ name: 'job', prefix: people.token.slice(0, 7) })]);
  expect(text).not.toContain(people.token);
});
