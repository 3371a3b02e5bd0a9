import { afterAll, beforeAll, expect, it } from 'vitest';
import { type People, startPeople } from '../../../test/people-calls.ts';
import { startWorld, type World } from '../../../test/world.ts';
import { revokeOperatorTokenContract } from './contract.ts';
import { revokeOperatorToken } from './handler.ts';

let world: World;
let people: People;
beforeAll(async () => {
  world = await startWorld();
  people = await startPeople(world);
});
afterAll(() => world.close());

it('204 revokes a token at once, 404 afterwards', async () => {
  const [shown] = await world.signIns.tokens();
  const who = await people.job();
  const revoke = async () =>
    (
      await people.call(revokeOperatorTokenContract, revokeOperatorToken(world) as never, who, {
        path: { tokenId: shown?.id ?? '' },
      })
    ).status;
  expect([await revoke(), await revoke()]).toEqual([204, 404]);
  expect(await world.signIns.callerWithToken(people.token)).toBeUndefined();
});
