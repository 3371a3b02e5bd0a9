import { afterAll, beforeAll, expect, it } from 'vitest';
import { Unavailable } from '../../../shared/kit/fault.ts';
import type { AccessKeyStore } from '../../../shared/table/people/access-key-store.ts';
import { type People, startPeople } from '../../../test/people-calls.ts';
import { startWorld, type World } from '../../../test/world.ts';
import { createAccessKeyContract } from '../create-access-key/contract.ts';
import { createAccessKey } from '../create-access-key/handler.ts';
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
    (await people.call(endSessionContract, endSession(world), who, { path: { sessionId: ada.caller.id } })).status;
  expect([await end(eve), await end(ada), await end(ada)]).toEqual([404, 204, 404]);
});

it('204 at the second try ends the session and the keys that the first has left because it was cut off', async () => {
  await people.addOperator('grace@example.com');
  const [left, who] = [await people.signIn('grace@example.com'), await people.signIn('grace@example.com')];
  const { ref } = await world.newAccount();
  const sent = { account: ref, path: { id: ref.id }, body: { api: 'messaging' } };
  const { key } = (await people.call(createAccessKeyContract, createAccessKey(world), left, sent)).body.data;
  const end = async (accessKeys: Pick<AccessKeyStore, 'end'>) =>
    (
      await people.call(endSessionContract, endSession({ ...world, accessKeys }), who, {
        path: { sessionId: left.caller.id },
      })
    ).status;
  expect(await end({ end: () => Promise.reject(new Unavailable('the table')) })).toBe(503);
  expect(await end(world.accessKeys)).toBe(204);
  expect(await world.apiKeys.admit(key, Date.now())).toHaveProperty('refused');
});
