import { afterAll, beforeAll, expect, it } from 'vitest';
import { startWorld, type TestAccount, type World } from '../../../test/world.ts';
import { newId } from '../../kit/id.ts';

let world: World;
let account: TestAccount;
beforeAll(async () => {
  world = await startWorld();
  account = await world.newAccount();
});
afterAll(() => world.close());

const token = (idToken: string, grantedMs: number) => ({
  ...{ idToken, grantedMs, lifetimeMs: 3_600_000, grantedFor: 'hash', refreshToken: `${idToken}-refresh` },
});

it('gives each method of an account its own token', async () => {
  const [one, other] = [newId(Date.now()), newId(Date.now())];
  await world.gatewayTokens(account.ref, one).write(token('a', 1_000));
  expect(await world.gatewayTokens(account.ref, one).read()).toEqual(token('a', 1_000));
  expect(await world.gatewayTokens(account.ref, other).read()).toBeUndefined();
  expect(await world.gatewayTokens((await world.newAccount()).ref, one).read()).toBeUndefined();
});

it('keeps the youngest token, in any order they come', async () => {
  const tokens = world.gatewayTokens(account.ref, newId(Date.now()));
  for (const [idToken, grantedMs] of [
    ['first', 1_000],
    ['third', 3_000],
    ['second', 2_000],
  ] as const) {
    await tokens.write(token(idToken, grantedMs));
  }
  expect(await tokens.read()).toEqual(token('third', 3_000));
});
