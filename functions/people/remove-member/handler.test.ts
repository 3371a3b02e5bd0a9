import { afterAll, beforeAll, expect, it } from 'vitest';
import type { PeopleCaller } from '../../../shared/http/people-surface.ts';
import { Unavailable } from '../../../shared/kit/fault.ts';
import type { AccessKeyStore } from '../../../shared/table/people/access-key-store.ts';
import { type People, startPeople } from '../../../test/people-calls.ts';
import { startWorld, type World } from '../../../test/world.ts';
import { createAccessKeyContract } from '../create-access-key/contract.ts';
import { createAccessKey } from '../create-access-key/handler.ts';
import { removeMemberContract } from './contract.ts';
import { removeMember } from './handler.ts';

let world: World;
let people: People;
beforeAll(async () => {
  world = await startWorld();
  people = await startPeople(world);
});
afterAll(() => world.close());

it('204 removes a member and ends their keys, 409 for the last owner', async () => {
  const { ref } = await world.newAccount();
  await people.add(ref.id, 'ada@example.com', 'owner');
  await people.add(ref.id, 'eve@example.com', 'owner');
  const members = await world.members.list(ref.id, { cursor: undefined, limit: 10 });
  const remove = async (index: number) =>
    (
      await people.call(removeMemberContract, removeMember(world), await people.job(), {
        account: ref,
        path: { id: ref.id, memberId: members[index]?.id ?? '' },
      })
    ).status;
  expect([await remove(0), await remove(0), await remove(1)]).toEqual([204, 404, 409]);
});

it('204 for a member of any role who leaves, also a viewer, 403 without any effect where they are not an owner and it is another member, and 409 for the last owner', async () => {
  const { ref } = await world.newAccount();
  await people.add(ref.id, 'curie@example.com', 'owner');
  const owner = await people.signIn('curie@example.com');
  const remove = async (who: PeopleCaller, whose: string) => {
    const members = await world.members.list(ref.id, { cursor: undefined, limit: 10 });
    const path = { id: ref.id, memberId: members.find((each) => each.role === whose)?.id ?? '' };
    return people.call(removeMemberContract, removeMember(world), who, { account: ref, path });
  };
  for (const role of ['viewer', 'developer'] as const) {
    await people.add(ref.id, `${role}@example.com`, role);
    const leaving = await people.signIn(`${role}@example.com`);
    const sent = { account: ref, path: { id: ref.id }, body: { api: 'messaging' } };
    const { key } = (await people.call(createAccessKeyContract, createAccessKey(world), owner, sent)).body.data;
    const refused = await remove(leaving, 'owner');
    expect([refused.status, refused.body.error]).toMatchObject([403, { code: 'forbidden_scope' }]);
    expect(await world.apiKeys.admit(key, Date.now())).not.toHaveProperty('refused');
    expect((await remove(leaving, role)).status).toBe(204);
  }
  expect((await remove(owner, 'owner')).status).toBe(409);
  expect(await world.members.list(ref.id, { cursor: undefined, limit: 10 })).toMatchObject([{ role: 'owner' }]);
});

it('204 at the second try ends the keys that the first could not end', async () => {
  const { ref } = await world.newAccount();
  await people.add(ref.id, 'grace@example.com', 'owner');
  await people.add(ref.id, 'mallory@example.com', 'viewer');
  const gone = await people.signIn('mallory@example.com');
  const sent = { account: ref, path: { id: ref.id }, body: { api: 'messaging' } };
  const { key } = (await people.call(createAccessKeyContract, createAccessKey(world), gone, sent)).body.data;
  const members = await world.members.list(ref.id, { cursor: undefined, limit: 10 });
  const memberId = members.find(({ role }) => role === 'viewer')?.id ?? '';
  const remove = async (accessKeys: Pick<AccessKeyStore, 'end'>) =>
    (
      await people.call(removeMemberContract, removeMember({ ...world, accessKeys }), await people.job(), {
        account: ref,
        path: { id: ref.id, memberId },
      })
    ).status;
  expect(await remove({ end: () => Promise.reject(new Unavailable('the table')) })).toBe(503);
  expect(await remove(world.accessKeys)).toBe(204);
  expect(await world.apiKeys.admit(key, Date.now())).toHaveProperty('refused');
});

it('removes a member who is lent keys all the time, and ends them', async () => {
  const { ref } = await world.newAccount();
  await people.add(ref.id, 'hopper@example.com', 'owner');
  await people.add(ref.id, 'stayer@example.com', 'viewer');
  const leaving = await people.signIn('stayer@example.com');
  const sent = { account: ref, path: { id: ref.id }, body: { api: 'messaging' } };
  const keys: (string | undefined)[] = [];
  const accessKeys: Pick<AccessKeyStore, 'end'> = {
    end: async (...those) => {
      await world.accessKeys.end(...those);
      const lend = createAccessKey(world);
      keys.push((await people.call(createAccessKeyContract, lend, leaving, sent)).body.data?.key);
    },
  };
  const listed = await world.members.list(ref.id, { cursor: undefined, limit: 10 });
  const path = { id: ref.id, memberId: listed.find(({ role }) => role === 'viewer')?.id ?? '' };
  const remove = removeMember({ members: world.members, accessKeys });
  const { status } = await people.call(removeMemberContract, remove, await people.job(), { account: ref, path });
  expect(status).toBe(204);
  const lent = keys.filter((key) => key !== undefined);
  expect(lent).toHaveLength(5);
  for (const key of lent) expect(await world.apiKeys.admit(key, Date.now())).toHaveProperty('refused');
});

it('a key that is lent while its holder is removed ends too, also where the run is cut off after the removal', async () => {
  const { ref } = await world.newAccount();
  await people.add(ref.id, 'hopper@example.com', 'owner');
  await people.add(ref.id, 'trudy@example.com', 'viewer');
  const leaving = await people.signIn('trudy@example.com');
  const sent = { account: ref, path: { id: ref.id }, body: { api: 'messaging' } };
  const keys: string[] = [];
  const accessKeys: Pick<AccessKeyStore, 'end'> = {
    end: async (...those) => {
      await world.accessKeys.end(...those);
      if (keys.length > 0) return;
      const lend = createAccessKey(world);
      keys.push((await people.call(createAccessKeyContract, lend, leaving, sent)).body.data.key);
    },
  };
  const members = {
    ...world.members,
    remove: async (...member: Parameters<typeof world.members.remove>) => {
      const outcome = await world.members.remove(...member);
      if (outcome === 'done') throw new Unavailable('the rest of the run');
      return outcome;
    },
  };
  const listed = await world.members.list(ref.id, { cursor: undefined, limit: 10 });
  const member = listed.find(({ role }) => role === 'viewer');
  const path = { id: ref.id, memberId: member?.id ?? '' };
  const remove = removeMember({ members, accessKeys });
  const { status } = await people.call(removeMemberContract, remove, await people.job(), { account: ref, path });
  expect(status).toBe(503);
  expect(await world.members.list(ref.id, { cursor: undefined, limit: 10 })).toHaveLength(1);
  expect(await world.apiKeys.admit(keys[0] ?? '', Date.now())).toHaveProperty('refused');
});
