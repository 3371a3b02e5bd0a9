import { afterAll, beforeAll, expect, it } from 'vitest';
import { type People, startPeople } from '../../../test/people-calls.ts';
import { startWorld, type World } from '../../../test/world.ts';
import { createAccessKeyContract } from './contract.ts';
import { createAccessKey } from './handler.ts';

let world: World;
let people: People;
beforeAll(async () => {
  world = await startWorld();
  people = await startPeople(world);
});
afterAll(() => world.close());

it('201 lends a key with the scopes of the role, and none that changes the checkout to a developer', async () => {
  const { ref } = await world.newAccount();
  for (const role of ['viewer', 'developer', 'owner'] as const) await people.add(ref.id, `${role}@example.com`, role);
  const lend = async (role: string, body: unknown) => {
    const who = await people.signIn(`${role}@example.com`);
    const sent = { account: ref, path: { id: ref.id }, body };
    return (await people.call(createAccessKeyContract, createAccessKey(world), who, sent)).body.data;
  };
  const { key, scopes } = await lend('viewer', { api: 'messaging' });
  expect(scopes).toEqual(['messages:read', 'contacts:read', 'templates:read', 'analytics:read']);
  expect(await world.apiKeys.admit(key, Date.now())).toMatchObject({ scopes, account: ref });
  const developers = await lend('developer', { api: 'checkout', livemode: false });
  expect(await world.checkoutKeys.admit(developers.key, Date.now())).toMatchObject({
    isReadOnly: true,
    livemode: false,
  });
  const owners = await lend('owner', { api: 'checkout', livemode: true });
  expect(await world.checkoutKeys.admit(owners.key, Date.now())).toMatchObject({ isReadOnly: false, livemode: true });
});

it('201 lends a key until the end of the session, when that is sooner than in 15 minutes', async () => {
  const { ref } = await world.newAccount();
  await people.add(ref.id, 'late@example.com', 'owner');
  const who = await people.signIn('late@example.com', Date.now() - 12 * 3_600_000 + 60_000);
  const sent = { account: ref, path: { id: ref.id }, body: { api: 'messaging' } };
  const { data } = (await people.call(createAccessKeyContract, createAccessKey(world), who, sent)).body;
  expect(data.expiresAt).toBe(who.caller.expiresAt);
});

it('503 asks to try again when the role has changed since the caller was identified', async () => {
  const { ref } = await world.newAccount();
  await people.add(ref.id, 'changed@example.com', 'viewer');
  const before = await people.signIn('changed@example.com');
  const [listed] = await world.members.list(ref.id, { cursor: undefined, limit: 1 });
  const member = await world.members.find(ref.id, listed?.id ?? '');
  expect(member && (await world.members.changeRole(ref.id, member, 'developer'))).toBe('done');
  const sent = { account: ref, path: { id: ref.id }, body: { api: 'messaging' } };
  const refused = await people.call(createAccessKeyContract, createAccessKey(world), before, sent);
  expect([refused.status, refused.headers['Retry-After']]).toEqual([503, '1']);
  const after = await people.signIn('changed@example.com');
  expect((await people.call(createAccessKeyContract, createAccessKey(world), after, sent)).status).toBe(201);
});

it('429 asks a person to wait who gets more than 600 keys in 15 minutes, on whichever account, and no other person', async () => {
  const [one, two] = [await world.newAccount(), await world.newAccount()];
  const nowMs = Date.UTC(2026, 10, 20, 12, 5);
  const callerOf = async (email: string) => {
    for (const { ref } of [one, two]) await people.add(ref.id, email, 'viewer');
    return people.signIn(email);
  };
  const [many, other] = [await callerOf('many@example.com'), await callerOf('other@example.com')];
  await world.rates.count(`access-keys ${many.caller.person}`, nowMs, { calls: 599, windowMinutes: 15 });
  const lend = async (who: typeof many, { ref }: typeof one, atMs = nowMs) => {
    const handle = createAccessKey({
      ...world,
      rates: { count: (of, _, ...rest) => world.rates.count(of, atMs, ...rest) },
    });
    const sent = { account: ref, path: { id: ref.id }, body: { api: 'messaging' } };
    return people.call(createAccessKeyContract, handle, who, sent);
  };
  expect((await lend(many, one)).status).toBe(201);
  const refused = await lend(many, two);
  expect([refused.status, refused.body.error?.code]).toEqual([429, 'rate_limited']);
  expect(Number(refused.headers['Retry-After'])).toBeGreaterThan(0);
  expect((await lend(other, two)).status).toBe(201);
  expect((await lend(many, two, nowMs + 15 * 60_000)).status).toBe(201);
});
