import { afterAll, beforeAll, expect, it } from 'vitest';
import { Unavailable } from '../../../shared/kit/fault.ts';
import { platform } from '../../../shared/people/person.ts';
import type { AccessKeyStore } from '../../../shared/table/people/access-key-store.ts';
import { type People, startPeople } from '../../../test/people-calls.ts';
import { startWorld, type World } from '../../../test/world.ts';
import { createAccessKeyContract } from '../create-access-key/contract.ts';
import { createAccessKey } from '../create-access-key/handler.ts';
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
      await people.call(removeOperatorContract, removeOperator(world), await people.job(), {
        path: { operatorId: operators[index]?.id ?? '' },
      })
    ).status;
  expect([await remove(0), await remove(0), await remove(1)]).toEqual([204, 404, 409]);
});

it('204 at the second try ends the keys that the first could not end', async () => {
  await people.addOperator('grace@example.com');
  await people.addOperator('mallory@example.com');
  const gone = await people.signIn('mallory@example.com');
  const { ref } = await world.newAccount();
  const sent = { account: ref, path: { id: ref.id }, body: { api: 'messaging' } };
  const { key } = (await people.call(createAccessKeyContract, createAccessKey(world), gone, sent)).body.data;
  const operators = await world.members.list(platform, { cursor: undefined, limit: 10 });
  const operatorId = operators.find(({ email }) => email === 'mallory@example.com')?.id ?? '';
  const remove = async (accessKeys: Pick<AccessKeyStore, 'end'>) =>
    (
      await people.call(removeOperatorContract, removeOperator({ ...world, accessKeys }), await people.job(), {
        path: { operatorId },
      })
    ).status;
  expect(await remove({ end: () => Promise.reject(new Unavailable('the table')) })).toBe(503);
  expect(await remove(world.accessKeys)).toBe(204);
  expect(await world.apiKeys.admit(key, Date.now())).toHaveProperty('refused');
});
