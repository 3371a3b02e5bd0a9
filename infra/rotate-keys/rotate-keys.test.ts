import { afterAll, beforeAll, expect, it } from 'vitest';
import { keyNumberOf, mostLaterKeys } from '../../shared/kit/cipher.ts';
import { newId } from '../../shared/kit/id.ts';
import { hourMs } from '../../shared/kit/time-units.ts';
import { accountStore } from '../../shared/table/accounts/account-store.ts';
import { keyRingStore } from '../../shared/table/accounts/key-ring-store.ts';
import { contactStore } from '../../shared/table/contacts/contact-store.ts';
import { itemKeys } from '../../shared/table/keys.ts';
import { memberStore } from '../../shared/table/people/member-store.ts';
import { contactCalls } from '../../test/contacts-calls.ts';
import { startWorld, type TestAccount, type World } from '../../test/world.ts';
import { rotateKeys } from './rotate-keys.ts';

let world: World;
let accounts: TestAccount[];
const time = { nowMs: Date.parse('2026-11-20T12:00:00.000Z') };
const clock = () => time.nowMs;
beforeAll(async () => {
  world = await startWorld();
  accounts = [await world.newAccount(), await world.newAccount()];
});
afterAll(() => world.close());

const run = (wishes: { readonly account?: string; readonly isDryRun?: boolean } = {}) =>
  Array.fromAsync(rotateKeys(world, clock)(wishes));
const everyone = () => ['people', ...accounts.map(({ ref }) => ref.id)];

it('npm run rotate-keys gives every account a key once a day, which seals an hour later', async () => {
  await world.signIns.createToken('token', { id: newId(time.nowMs), name: 'n', createdBy: 'test' }, world.dataKeys);
  const given = (isNew: boolean) =>
    everyone().map((id) => ({ id, keys: 2, sealsFrom: '2026-11-20T13:00:00.000Z', isNew }));
  const before = await world.scan();
  expect(await run({ isDryRun: true })).toEqual(given(true));
  expect(await world.scan()).toEqual(before);

  expect(await run()).toEqual(given(true));
  time.nowMs += 24 * hourMs - 1;
  expect(await run()).toEqual(given(false));
  time.nowMs += 1;
  const [account] = accounts.map(({ ref }) => ref.id);
  expect(await run({ account: account ?? '' })).toEqual([
    { id: account, keys: 3, sealsFrom: '2026-11-21T13:00:00.000Z', isNew: true },
  ]);
  expect((await run()).map(({ isNew }) => isNew)).toEqual([true, false, true]);
});

it('npm run rotate-keys at the same time gives one key', async () => {
  const { ref } = await world.newAccount();
  const outcomes = (await Promise.all(Array.from({ length: 5 }, () => run({ account: ref.id })))).flat();
  expect(outcomes.map(({ keys, isNew }) => [keys, isNew]).sort()).toEqual([
    ...Array.from({ length: 4 }, () => [2, false]),
    [2, true],
  ]);
});

it('npm run rotate-keys goes on behind an account that can have no more keys, and names it at the end', async () => {
  const [first, full, last] = [await world.newAccount(), await world.newAccount(), await world.newAccount()];
  const ring = keyRingStore(world.table);
  for (let length = 0; length < mostLaterKeys; length += 1) {
    const key = { sealedKey: 'AQ==', fromMs: 0 };
    await ring.add(
      full.ref.id,
      Array.from({ length }, () => key),
      key,
    );
  }
  const given: string[] = [];
  const all = async () => {
    for await (const { id, isNew } of rotateKeys(world, clock)({})) if (isNew) given.push(id);
  };
  await expect(all()).rejects.toThrow(`256 keys, and can have no more: ${full.ref.id}.`);
  expect(given).toEqual(expect.arrayContaining([first.ref.id, last.ref.id]));
  await expect(run({ account: full.ref.id })).rejects.toThrow(full.ref.id);
  await world.table.remove(itemKeys.keyRing(full.ref.id));
});

it('npm run rotate-keys refuses an unknown account', async () => {
  await expect(run({ account: newId(0) })).rejects.toThrow('There is no account');
});

it('an account works on after a rotation: what was written before is read and found, and what is written is under the new key', async () => {
  const { ref, key } = await world.newAccount();
  const old = { email: 'old@example.com', firstName: 'Ada' };
  const { body } = await contactCalls(world).create(key, old);
  await run({ account: ref.id });
  time.nowMs += hourMs;
  const vault = world.vaultAt(clock);
  const contacts = contactStore(world.table, vault);
  expect(await contacts.find(ref, body.data.id)).toMatchObject(old);
  expect((await contactCalls(world).create(key, { email: 'OLD@example.com' })).status).toBe(409);

  const stored = accountStore(world.table, vault, world.spreads);
  const before = await stored.find(ref.id);
  if (!before) return expect.fail('the account is gone');
  const sealedUnder = async () => {
    const item = (await world.scan()).find(({ entity, account }) => entity === 'account' && account === ref.id);
    return keyNumberOf(item?.['settings'] as Uint8Array);
  };
  expect(await sealedUnder()).toBe(0);
  await stored.save(before, { ...before, name: 'Renamed' }, time.nowMs);
  expect(await sealedUnder()).toBe(1);
  // The vault of this world has read the ring before, and its clock stood at that time.
  await expect(world.accounts.find(ref.id)).rejects.toThrow('the data was sealed under an unknown key');
  expect((await world.accounts.find(ref.id))?.name).toBe('Renamed');
});

it('a function that runs since before a rotation reads the people who were added after it', async () => {
  const { ref } = await world.newAccount();
  const member = (email: string) => ({ id: newId(time.nowMs), email, role: 'owner', invitedBy: 'test' }) as const;
  const warm = memberStore(world.table, world.vaultAt(clock));
  await warm.add(ref.id, member('ada@example.com'), world);
  time.nowMs += 24 * hourMs;
  await run({ account: 'people' });
  time.nowMs += hourMs;
  await memberStore(world.table, world.vaultAt(clock)).add(ref.id, member('grace@example.com'));
  const found = await warm.list(ref.id, { cursor: undefined, limit: 10 });
  expect(found.map(({ email }) => email)).toEqual(['ada@example.com', 'grace@example.com']);
});
