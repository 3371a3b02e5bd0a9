import { afterAll, beforeAll, expect, it } from 'vitest';
import { Unavailable } from '../../../shared/kit/fault.ts';
import type { AccessKeyStore } from '../../../shared/table/people/access-key-store.ts';
import { type People, startPeople } from '../../../test/people-calls.ts';
import { startWorld, type World } from '../../../test/world.ts';
import { createAccessKeyContract } from '../create-access-key/contract.ts';
import { createAccessKey } from '../create-access-key/handler.ts';
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
      await people.call(revokeOperatorTokenContract, revokeOperatorToken(world), who, {
        path: { tokenId: shown?.id ?? '' },
      })
    ).status;
  expect([await revoke(), await revoke()]).toEqual([204, 404]);
  expect(await world.signIns.callerWithToken(people.token)).toBeUndefined();
});

it('404 at the second try ends the keys that the first has left because it was cut off', async () => {
  const who = await (await startPeople(world)).job();
  const { ref } = await world.newAccount();
  const sent = { account: ref, path: { id: ref.id }, body: { api: 'messaging' } };
  const { key } = (await people.call(createAccessKeyContract, createAccessKey(world), who, sent)).body.data;
  const revoke = async (accessKeys: Pick<AccessKeyStore, 'end'>) =>
    (
      await people.call(revokeOperatorTokenContract, revokeOperatorToken({ ...world, accessKeys }), who, {
        path: { tokenId: who.caller.id },
      })
    ).status;
  expect(await revoke({ end: () => Promise.reject(new Unavailable('the table')) })).toBe(503);
  expect(await revoke(world.accessKeys)).toBe(404);
  expect(await world.apiKeys.admit(key, Date.now())).toHaveProperty('refused');
});
