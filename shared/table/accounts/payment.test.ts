import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { acceptEmail } from '../../../test/accepted-message.ts';
import { countConsumption } from '../../../test/consumption.ts';
import { startWorld, type TestAccount, type World } from '../../../test/world.ts';
import { newId } from '../../kit/id.ts';
import { newEmail } from '../../messages/new-message.ts';
import type { Table } from '../table.ts';
import { creditKeys, mostCreditShards } from './credit-items.ts';
import { creditStore } from './credit-store.ts';

let world: World;
beforeAll(async () => {
  world = await startWorld({ faults: { seed: 11, rates: {} } });
});
beforeEach(() => world.faults.set());
afterAll(() => world.close());

const send = ({ ref }: TestAccount) =>
  acceptEmail(world, ref, newEmail({ channel: 'email', to: 'ada@example.com' }, newId(Date.now())));

const inShards = async ({ ref }: TestAccount): Promise<number[]> =>
  (await world.table.getAll(creditKeys(ref.id, mostCreditShards))).flatMap((item) =>
    item?.['email'] === undefined ? [] : [Number(item['email'])],
  );

it('a send from a shard that can pay costs the same, however many there are', async () => {
  const consumption = countConsumption(world.calls);
  const [one, eight] = [await world.newAccount(), await world.newAccount()];
  await world.credits.raiseShards(eight.ref.id, 8);
  // The first sends create the contact, and then one of them fills each shard.
  await send(one);
  while ((await inShards(eight)).length < 8) await send(eight);
  const before = await inShards(eight);
  expect(Math.min(...before)).toBeGreaterThan(0);
  const costOf = (account: TestAccount) => consumption.of(() => send(account));
  const expected = await costOf(one);
  expect(await costOf(eight)).toEqual(expected);
  expect(expected).toEqual({ calls: 2, units: 10 });
});

it('an empty shard is filled from the richest by the send that meets it, with one more read and one more transaction', async () => {
  const account = await world.newAccount({ credits: { email: 1_001 } });
  await send(account);
  await world.credits.raiseShards(account.ref.id, 2);
  while ((await inShards(account)).length < 2) await send(account);
  const [first = 0, second = 0] = await inShards(account);
  expect(Math.abs(first - second)).toBeLessThan(20);
});

it('sends that meet conflicts all get through, pay once, and spread the credits further', async () => {
  const account = await world.newAccount();
  await send(account);
  const shardsNow = async () => (await world.accounts.find(account.ref.id))?.creditShards ?? 1;
  let sent = 1;
  // Which write a conflict meets is left to chance, and a send has to meet two on its credits.
  while ((await shardsNow()) === 1) {
    world.faults.set({ conflict: 0.5 });
    const outcomes = await Promise.all(Array.from({ length: 12 }, () => send(account)));
    world.faults.set();
    expect(new Set(outcomes)).toEqual(new Set(['accepted']));
    sent += outcomes.length;
  }
  expect((await world.accounts.credits(account.ref.id))?.email).toBe(100 - sent);
});

it('the last credits in any shards pay for as many parallel sends, and the others are unfunded', async () => {
  const account = await world.newAccount({ credits: { email: 9 } });
  await send(account);
  await world.credits.raiseShards(account.ref.id, 4);
  const outcomes = await Promise.all(Array.from({ length: 12 }, () => send(account)));
  expect(outcomes.filter((outcome) => outcome === 'accepted')).toHaveLength(8);
  expect(outcomes.filter((outcome) => outcome === 'unfunded')).toHaveLength(4);
  expect(await inShards(account)).toEqual([0, 0, 0, 0].slice(0, (await inShards(account)).length));
});

it('an operator can add credits while others are given and spent between the reads of the shards', async () => {
  const account = await world.newAccount({ credits: { email: 10 } });
  await world.credits.raiseShards(account.ref.id, 2);
  while ((await inShards(account)).length < 2) await send(account);
  const cause = { who: 'operator', reason: null };
  const add = (email: number) => ({
    ...cause,
    id: newId(Date.now()),
    change: { email, smsMasked: 0, smsNonMasked: 0 },
  });
  let isBusy = true;
  const delayed: Table = {
    ...world.table,
    getAll: async (keys) => {
      // The first shard has been read. The second one pays for about half of what follows.
      if (isBusy) {
        isBusy = false;
        await world.credits.adjust(account.ref, add(40));
        for (let left = 40; left > 0; left -= 1) await send(account);
      }
      return world.table.getAll(keys);
    },
  };
  const [before = 0] = [(await world.accounts.credits(account.ref.id))?.email];
  expect(await creditStore(delayed, world.vault).adjust(account.ref, add(1))).toBe(true);
  expect((await world.accounts.credits(account.ref.id))?.email).toBe(before + 1);
});

it.each(['withdrawn', 'refused by its provider'])(
  'an email that is %s gives its price back to the shard that paid, also where its request does not know which',
  async (fate) => {
    const account = await world.newAccount();
    await world.credits.raiseShards(account.ref.id, 8);
    for (let n = 0; n < 12; n += 1) {
      const message = newEmail({ channel: 'email', to: 'ada@example.com' }, newId(Date.now()));
      await acceptEmail(world, account.ref, message);
      const { messages } = world;
      const failure = { code: 'refused', reason: 'No.' };
      const isEnded =
        fate === 'withdrawn'
          ? await messages.withdraw(account.ref, message)
          : await messages.fail(account.ref, message, 'providerRefused', failure, Date.now());
      expect(isEnded).toBe(true);
    }
    const shards = await world.table.getAll(creditKeys(account.ref.id, 8));
    const given = shards.map((item) => Number(item?.['email'] ?? 0) - Number(item?.['emailMoved'] ?? 0));
    expect(given).toEqual([100, 0, 0, 0, 0, 0, 0, 0]);
  },
);
