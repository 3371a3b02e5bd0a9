import { afterAll, beforeAll, expect, it } from 'vitest';
import { startWorld, type World } from '../../../test/world.ts';
import { hashOf, makeApiKey } from '../../accounts/api-key.ts';
import { newId } from '../../kit/id.ts';
import { itemKeys } from '../keys.ts';

let world: World;
beforeAll(async () => {
  world = await startWorld();
});
afterAll(() => world.close());

const nowMs = Date.parse('2026-11-20T12:00:30.000Z');
const minuteMs = 60_000;

const newKey = async (rateLimitPerMinute: number) => {
  const { ref } = await world.newAccount();
  const [id, key] = [newId(nowMs), makeApiKey()];
  await world.apiKeys.create(ref, key, { id, name: 'test', scopes: [], rateLimitPerMinute }, nowMs);
  return { id, key };
};

/** The calls of the table that this makes. */
const callsOf = async (act: () => Promise<unknown>): Promise<number> => {
  let calls = 0;
  const end = world.loseAnswers(() => {
    calls += 1;
    return false;
  });
  await act();
  end();
  return calls;
};

it('a key that is called a thousand times beyond its limit is refused without a call until its minute ends, and no other key', async () => {
  const [{ key }, other] = await Promise.all([newKey(5), newKey(5)]);
  const admit = (atMs = nowMs) => world.apiKeys.admit(key, atMs);
  await admit();
  // A thousand calls of other functions.
  await world.table.update({
    Key: itemKeys.apiKey(hashOf(key)),
    UpdateExpression: 'ADD #count :calls',
    ExpressionAttributeNames: { '#count': 'count' },
    ExpressionAttributeValues: { ':calls': 1_003 },
  });
  expect(await callsOf(admit)).toBe(1);
  expect(await callsOf(admit)).toBe(1);
  expect(await callsOf(admit)).toBe(0);
  expect(await admit()).toMatchObject({ limit: 5, count: 1_006, resetSeconds: nowMs / 1_000 + 30 });
  expect(await world.apiKeys.admit(other.key, nowMs)).toMatchObject({ count: 1 });
  expect(await admit(nowMs + minuteMs)).toMatchObject({ count: 1 });
});

it('a key that is over its limit is refused as revoked from its next call on, and then without a call', async () => {
  const { id, key } = await newKey(1);
  for (const count of [1, 2, 3]) expect(await world.apiKeys.admit(key, nowMs)).toMatchObject({ count });
  await world.apiKeys.revoke(id, nowMs);
  expect(await world.apiKeys.admit(key, nowMs)).toHaveProperty('refused');
  expect(await callsOf(() => world.apiKeys.admit(key, nowMs))).toBe(0);
  expect(await world.apiKeys.admit(key, nowMs + minuteMs)).toHaveProperty('refused');
});

it('a key that does not exist is refused without a call until the minute ends, and one that is made then is admitted', async () => {
  const unknown = makeApiKey();
  const admit = (atMs = nowMs) => world.apiKeys.admit(unknown, atMs);
  expect(await callsOf(admit)).toBe(1);
  expect(await callsOf(admit)).toBe(0);
  expect(await admit()).toBeUndefined();
  expect(await callsOf(() => admit(nowMs + minuteMs))).toBe(1);
  const { key } = await newKey(5);
  expect(await world.apiKeys.admit(key, nowMs)).toMatchObject({ count: 1 });
});
