import { afterAll, beforeAll, expect, it } from 'vitest';
import { Unavailable } from '../../../shared/kit/fault.ts';
import { type People, startPeople } from '../../../test/people-calls.ts';
import { startWorld, type World } from '../../../test/world.ts';
import { createAccessKeyContract } from '../create-access-key/contract.ts';
import { createAccessKey } from '../create-access-key/handler.ts';
import { signOutContract } from './contract.ts';
import { signOut } from './handler.ts';

let world: World;
let people: People;
beforeAll(async () => {
  world = await startWorld();
  people = await startPeople(world);
});
afterAll(() => world.close());

it('204 ends the session, takes the cookie away, and leaves a token as it is', async () => {
  await people.addOperator('ada@example.com');
  const who = await people.signIn('ada@example.com');
  const { status, headers } = await people.call(signOutContract, signOut(world), who);
  expect([status, headers['Set-Cookie']]).toEqual([204, expect.stringMatching(/^__Host-session=; Max-Age=0;/)]);
  expect(await world.signIns.sessions(who.caller.person, Date.now())).toEqual([]);
  expect((await people.call(signOutContract, signOut(world), await people.job())).status).toBe(204);
  expect(await world.signIns.callerWithToken(people.token)).toBeDefined();
});

it('503 leaves the session where its keys cannot be ended, so that its person can sign out again', async () => {
  await people.addOperator('grace@example.com');
  const who = await people.signIn('grace@example.com');
  const accessKeys = { end: () => Promise.reject(new Unavailable('the table')) };
  const { status } = await people.call(signOutContract, signOut({ ...world, accessKeys }), who);
  expect(status).toBe(503);
  expect(await world.signIns.sessions(who.caller.person, Date.now())).toHaveLength(1);
});

it('lends no key in a session that is being signed out, whose end may be cut off', async () => {
  const { ref } = await world.newAccount();
  await people.addOperator('hopper@example.com');
  const who = await people.signIn('hopper@example.com');
  const sent = { account: ref, path: { id: ref.id }, body: { api: 'messaging' } };
  const lend = async () => (await people.call(createAccessKeyContract, createAccessKey(world), who, sent)).status;
  const lent: number[] = [];
  const accessKeys: typeof world.accessKeys = {
    ...world.accessKeys,
    end: async (...those) => {
      await world.accessKeys.end(...those);
      lent.push(await lend());
    },
  };
  expect(await lend()).toBe(201);
  expect((await people.call(signOutContract, signOut({ ...world, accessKeys }), who)).status).toBe(204);
  expect(lent).toEqual([503]);
});
