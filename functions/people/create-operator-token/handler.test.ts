import { afterAll, beforeAll, expect, it } from 'vitest';
import { type People, startPeople } from '../../../test/people-calls.ts';
import { startWorld, type World } from '../../../test/world.ts';
import { createOperatorTokenContract } from './contract.ts';
import { createOperatorToken } from './handler.ts';

let world: World;
let people: People;
beforeAll(async () => {
  world = await startWorld();
  people = await startPeople(world);
});
afterAll(() => world.close());

it('201 shows a token once, which then lets its holder in', async () => {
  const sent = { body: { name: 'Billing' } };
  const { body } = await people.call(createOperatorTokenContract, createOperatorToken(world), await people.job(), sent);
  expect(body.data.token).toMatch(/^ot_[0-9a-f]{64}$/);
  expect(await world.signIns.callerWithToken(body.data.token)).toMatchObject({ kind: 'token', name: 'Billing' });
});
