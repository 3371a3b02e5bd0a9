import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import * as z from 'zod';
import { createAccessKeyContract } from '../../functions/people/create-access-key/contract.ts';
import { createAccessKey } from '../../functions/people/create-access-key/handler.ts';
import { call } from '../../test/call.ts';
import { linesOf } from '../../test/log-lines.ts';
import { startPeople } from '../../test/people-calls.ts';
import { startWorld, type TestAccount, type World } from '../../test/world.ts';
import type { CheckoutKeyLimits } from '../checkout/checkout-key.ts';
import type { CheckoutCaller } from './checkout-surface.ts';
import { contract } from './contract.ts';
import { endpoint } from './endpoint.ts';

let world: World;
let account: TestAccount;
beforeAll(async () => {
  world = await startWorld();
  account = await world.newAccount();
});
afterAll(() => world.close());

const nowMs = Date.parse('2026-11-20T12:00:30Z');
const echoContract = contract({
  summary: 's',
  status: 200,
  body: z.object({ amountMinor: z.int().min(1) }),
  reply: z.unknown(),
});
const echo = async ({ account: { id }, livemode, createdWith, limits }: CheckoutCaller) => ({
  account: id,
  livemode,
  createdWith,
  limits,
});

/** Sends this `Authorization`, with a valid body by default. */
const send = (
  authorization: string | undefined,
  { origin, body = { amountMinor: 1 }, ...more }: { origin?: string; body?: unknown; 'x-api-key'?: string } = {},
) =>
  call(
    endpoint(echoContract, echo, world.checkoutCallers(), () => nowMs),
    {
      headers: {
        ...(authorization !== undefined && { authorization }),
        ...(origin !== undefined && { origin }),
        ...more,
      },
      body,
    },
  );
const publishable = (limits: CheckoutKeyLimits & { rateLimitPerMinute?: number } = {}) =>
  world.newCheckoutKey(account.ref, { kind: 'publishable', ...limits });

const shop = 'https://shop.example';

it('401 refuses every key of a frozen account', async () => {
  const frozen = await world.newAccount({ settings: { status: 'frozen' } });
  for (const kind of ['secret', 'publishable'] as const) {
    const { status, body } = await send(`Bearer ${await world.newCheckoutKey(frozen.ref, { kind })}`);
    expect([status, body.error.code]).toEqual([401, 'unauthorized']);
  }
});

it('200 lets people read what a frozen account has, and 403 refuses their changes', async () => {
  const people = await startPeople(world);
  const { ref } = await world.newAccount({ settings: { status: 'frozen' } });
  await people.add(ref.id, 'owner@example.com', 'owner');
  const lend = createAccessKey(world) as never;
  const sent = { account: ref, path: { id: ref.id }, body: { api: 'checkout', livemode: false } };
  const lent = await people.call(createAccessKeyContract, lend, await people.signIn('owner@example.com'), sent);
  const read = endpoint(contract({ summary: 's', status: 200, reply: z.unknown() }), echo, world.checkoutCallers());
  const withKey = (key: string) => call(read, { routeKey: 'GET /', headers: { authorization: `Bearer ${key}` } });
  const { status, body } = await withKey(lent.body.data.key);
  expect([status, body.data?.account]).toEqual([200, ref.id]);
  const { status: refused, body: refusal } = await send(`Bearer ${lent.body.data.key}`);
  expect([refused, refusal.error.message]).toEqual([403, 'The account is frozen.']);
  expect((await withKey(await world.newCheckoutKey(ref))).status).toBe(401);
});

it('401 is logged for the account of a key that is revoked or frozen, and for none of an unknown key', async () => {
  const [frozen, { ref }] = [await world.newAccount({ settings: { status: 'frozen' } }), await world.newAccount()];
  const keys = [await world.newCheckoutKey(frozen.ref), await world.newCheckoutKey(ref), `sk_test_${'0'.repeat(64)}`];
  for (const { id } of await world.checkoutKeys.list(ref.id)) await world.checkoutKeys.revoke(id, nowMs);
  const lines = await linesOf(async () => {
    for (const key of keys) expect((await send(`Bearer ${key}`)).status).toBe(401);
  });
  const answers = lines.filter(({ message }) => message === 'answered');
  expect(answers.map(({ accountId, keyPrefix }) => [accountId, keyPrefix])).toEqual([
    [frozen.ref.id, keys[0]?.slice(0, 12)],
    [ref.id, keys[1]?.slice(0, 12)],
    [undefined, undefined],
  ]);
});

describe('a checkout key', () => {
  it.each([
    ['secret', true],
    ['secret', false],
    ['publishable', true],
    ['publishable', false],
  ] as const)('that is %s, live %j, says so to what it opens', async (kind, livemode) => {
    const key = await world.newCheckoutKey(account.ref, { kind, livemode });
    const { status, body } = await send(`Bearer ${key}`);
    expect([status, body.data]).toEqual([200, { account: account.ref.id, livemode, createdWith: kind, limits: {} }]);
  });

  it('passes its limits to the handler', async () => {
    const limits = { allowedOrigins: [shop], redirectHosts: ['shop.example'], maxAmountMinor: 5_000 };
    const { body } = await send(`Bearer ${await publishable(limits)}`, { origin: shop });
    expect(body.data.limits).toEqual(limits);
  });

  it('401 is missing, malformed, unknown or revoked, or sent in another way', async () => {
    const key = await world.newCheckoutKey(account.ref);
    const idsNow = async () => (await world.checkoutKeys.list(account.ref.id)).map(({ id }) => id);
    const before = await idsNow();
    const revoked = await world.newCheckoutKey(account.ref);
    for (const id of await idsNow()) if (!before.includes(id)) await world.checkoutKeys.revoke(id, nowMs);
    const wrong = [
      undefined,
      '',
      'Bearer',
      'Bearer sk_test_',
      `Bearer ${key}0`,
      `Bearer sk_test_${'0'.repeat(64)}`,
      `Bearer ${key.replace('sk_', 'pk_')}`,
      `Bearer ${revoked}`,
      `Bearer ${account.key}`,
      `ApiKey ${key}`,
      `Basic ${key}`,
      key,
    ];
    for (const authorization of wrong) {
      const { status, body, headers } = await send(authorization);
      expect([authorization, status, body.error.code]).toEqual([authorization, 401, 'unauthorized']);
      expect(headers['X-RateLimit-Limit']).toBeUndefined();
      expect(headers['WWW-Authenticate']).toBe('Bearer realm="checkout"');
    }
    expect((await send(undefined, { 'x-api-key': key })).status).toBe(401);
    expect((await send(`bearer ${key}`)).status).toBe(200);
  });

  it('401 names the API that a key belongs to, by its prefix', async () => {
    expect((await send(`Bearer ${account.key}`)).body.error.message).toBe(
      'This is a key of the messaging API. Keys of the checkout API begin with sk_ or pk_.',
    );
  });

  it('is refused by the messaging API', async () => {
    const key = await world.newCheckoutKey(account.ref);
    const messaging = endpoint(
      contract({ summary: 's', status: 204 }),
      async () => undefined,
      world.callers('messages:read'),
    );
    for (const other of [key, await publishable()]) {
      const { status, body } = await call(messaging, { key: other });
      expect([status, body.error.message]).toEqual([
        401,
        'This is a key of the checkout API. Keys of the messaging API begin with mk_.',
      ]);
    }
    expect((await call(messaging, { key: account.key })).status).toBe(204);
  });

  it('429 beyond its limit per minute, with headers on every answer', async () => {
    const key = await world.newCheckoutKey(account.ref, { rateLimitPerMinute: 2 });
    const answers = [
      await send(`Bearer ${key}`),
      await send(`Bearer ${key}`, { body: {} }),
      await send(`Bearer ${key}`),
    ];
    expect(answers.map(({ status }) => status)).toEqual([200, 400, 429]);
    expect(answers[2]?.body.error.code).toBe('rate_limited');
    expect(Number(answers[2]?.headers['Retry-After'])).toBeGreaterThan(0);
    expect(answers.map(({ headers }) => headers['X-RateLimit-Remaining'])).toEqual(['1', '0', '0']);
    const reset = String(Date.parse('2026-11-20T12:01:00Z') / 1_000);
    for (const { headers } of answers)
      expect(headers).toMatchObject({ 'X-RateLimit-Limit': '2', 'X-RateLimit-Reset': reset });
  });

  it('400 is called bad_request', async () => {
    const key = await world.newCheckoutKey(account.ref);
    for (const body of ['{', '[]', '', {}, { amountMinor: 0 }, { amountMinor: '1' }]) {
      const answer = await send(`Bearer ${key}`, { body });
      expect(answer.status).toBe(400);
      expect(answer.body.error).toMatchObject({ code: 'bad_request', docsUrl: '/docs/errors#bad_request' });
    }
  });
});

describe('browsers', () => {
  it('may read the answers to a publishable key, including refusals', async () => {
    const key = await publishable({ rateLimitPerMinute: 2 });
    const answers = [
      await send(`Bearer ${key}`, { origin: shop }),
      await send(`Bearer ${key}`, { origin: 'null', body: {} }),
      await send(`Bearer ${key}`, { origin: shop }),
      await send('Bearer pk_test_x', { origin: shop }),
      await send(undefined, { origin: shop }),
    ];
    expect(answers.map(({ status }) => status)).toEqual([200, 400, 429, 401, 401]);
    expect(answers.map(({ headers }) => headers['Access-Control-Allow-Origin'])).toEqual([
      shop,
      'null',
      shop,
      shop,
      shop,
    ]);
    for (const { headers } of answers) {
      expect(headers).toMatchObject({ Vary: 'Origin' });
      expect(headers['Access-Control-Expose-Headers']).toMatch(/Idempotent-Replay.*X-RateLimit-Reset/);
      expect(headers).not.toHaveProperty('Access-Control-Allow-Credentials');
    }
  });

  it('403 may not use a key from an origin that it does not list', async () => {
    const key = await publishable({ allowedOrigins: [shop, 'http://localhost:5173'] });
    for (const origin of [shop, 'http://localhost:5173']) {
      const { status, headers } = await send(`Bearer ${key}`, { origin });
      expect([status, headers['Access-Control-Allow-Origin']]).toEqual([200, origin]);
    }
    for (const origin of [undefined, 'null', '', 'http://shop.example', `${shop}:8443`, `${shop}.evil.example`]) {
      const { status, body, headers } = await send(`Bearer ${key}`, { ...(origin !== undefined && { origin }) });
      expect([origin, status, body.error.code]).toEqual([origin, 403, 'forbidden_scope']);
      expect(headers).not.toHaveProperty('Access-Control-Allow-Origin');
      expect(headers).toHaveProperty('X-RateLimit-Limit');
    }
  });

  it('may never read the answers to a secret key', async () => {
    const key = await world.newCheckoutKey(account.ref);
    for (const sent of [key, `sk_test_${'0'.repeat(64)}`, 'sk_live_x']) {
      const { headers } = await send(`Bearer ${sent}`, { origin: shop });
      expect(headers).not.toHaveProperty('Access-Control-Allow-Origin');
    }
  });
});
