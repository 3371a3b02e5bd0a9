import { afterAll, beforeAll, expect, it } from 'vitest';
import { startWorld, type World } from '../../test/world.ts';
import { exportsOfAccount, replaysOfAccount, spend } from './allowance.ts';

let world: World;
beforeAll(async () => {
  world = await startWorld();
});
afterAll(() => world.close());

const nowMs = Date.parse('2026-11-28T22:40:00Z');

it('an account may start so many exports in an hour, and another one its own', async () => {
  const [{ ref }, other] = [await world.newAccount(), await world.newAccount()];
  const start = (account = ref, atMs = nowMs) => spend(world.rates, exportsOfAccount, account, atMs);
  for (let n = 0; n < 60; n += 1) await start();
  await expect(start()).rejects.toMatchObject({
    code: 'rate_limited',
    message: 'An account may start 60 exports an hour. Wait for the number of seconds in Retry-After.',
    retryAfterSeconds: 1_200,
  });
  await start(other.ref);
  await start(ref, nowMs + 1_200_000);
});

it('what is refused does not count, so a smaller replay is possible', async () => {
  const { ref } = await world.newAccount();
  const replay = (deliveries: number) => spend(world.rates, replaysOfAccount, ref, nowMs, deliveries);
  await replay(9_950_000);
  await expect(replay(50_001)).rejects.toMatchObject({ code: 'rate_limited', retryAfterSeconds: 4_800 });
  await replay(50_000);
});
