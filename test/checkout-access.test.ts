import { beforeAll, describe, expect, it } from 'vitest';
import { kindOf } from '../infra/auth.ts';
import { type Route, routes } from '../infra/routes.ts';
import { request, type SharedStack, shareTestStack } from './test-stack.ts';

// Access rules of the checkout: runners over the route table, as in access.test.ts.

const rowsWhere = (isWanted: (route: Route) => boolean) =>
  Object.entries<Route>(routes).flatMap(([key, route]) => {
    const [method = '', path = ''] = key.split(' ');
    const { auth } = route;
    const isForSecretKeys = typeof auth === 'object' && 'checkoutKey' in auth && auth.checkoutKey === 'secret';
    return isWanted(route) ? [{ key, method, path, isForSecretKeys }] : [];
  });
type Row = ReturnType<typeof rowsWhere>[number];

const keyed = rowsWhere(({ auth }) => kindOf(auth) === 'checkoutKey');
const forPayers = rowsWhere(({ auth }) => auth === 'payer' || auth === 'payerToken');
const unknownId = '01932f6e-8c00-7000-8000-000000000000';
const shop = 'https://shop.example';

let stack: SharedStack;
let accountId: string;
beforeAll(async () => {
  stack = await shareTestStack();
  accountId = (await stack.admin('POST', '/accounts', { name: 'Access' })).body.data.id;
});

const keyWith = async (wishes: Readonly<Record<string, unknown>> = {}) =>
  (
    await stack.admin('POST', `/accounts/${accountId}/checkout-keys`, {
      kind: 'secret',
      livemode: false,
      name: 'test',
      ...wishes,
    })
  ).body.data;

const callRow = ({ method, path }: Row, headers: Readonly<Record<string, string>> = {}, id = unknownId) =>
  request(
    new URL(path.replace('{id}', id).replaceAll(/\{\w+\}/g, unknownId), stack.file.checkoutBaseUrl).href,
    method,
    headers,
    method === 'GET' ? undefined : {},
  );

let shopsKey: Promise<string> | undefined;
/** A publishable key of pages of one shop. */
const keyOfShop = (): Promise<string> => {
  shopsKey ??= keyWith({ kind: 'publishable', allowedOrigins: [shop] }).then(({ key }) => key);
  return shopsKey;
};

const bearer = (key: string) => ({ authorization: `Bearer ${key}` });

it('the route table has rows with and without a checkout key', () => {
  expect(keyed.map(({ key }) => key)).toContain('POST /v1/checkout-sessions');
  expect(forPayers.map(({ key }) => key)).toContain('GET /v1/public/checkout-sessions/{id}/status');
});

describe.each(keyed)('$key', (row) => {
  it('401 refuses a missing key', async () => {
    const { status, body, headers } = await callRow(row);
    expect([status, body.error.code]).toEqual([401, 'unauthorized']);
    expect(headers.get('x-ratelimit-limit')).toBeNull();
  });

  it('403 refuses origins that the key does not list, and lets listed origins read the answer: 403 where only secret keys may call', async () => {
    const key = await keyOfShop();
    const stranger = await callRow(row, { ...bearer(key), origin: 'https://stranger.example' });
    expect([stranger.status, stranger.body.error.code]).toEqual([403, 'forbidden_scope']);
    expect(stranger.headers.get('access-control-allow-origin')).toBeNull();
    const known = await callRow(row, { ...bearer(key), origin: shop });
    expect([known.status, known.body.error.code]).toEqual(
      row.isForSecretKeys ? [403, 'forbidden_scope'] : [400, 'bad_request'],
    );
    expect(known.headers.get('access-control-allow-origin')).toBe(shop);
  });
});

// How a key can be wrong, and how its calls are counted, is the same at all endpoints.
describe.each(keyed.slice(0, 1))('$key', (row) => {
  it('401 refuses a revoked, a malformed and an unknown key, one that is sent in another way, and one of messaging', async () => {
    const { key } = await keyWith();
    const revoked = await keyWith();
    await stack.admin('DELETE', `/checkout-keys/${revoked.id}`);
    for (const headers of [
      bearer(revoked.key),
      bearer('sk_test_short'),
      bearer(`sk_test_${'0'.repeat(64)}`),
      bearer(key.replace('sk_test', 'sk_live')),
      bearer(stack.file.keys.messaging),
      { 'x-api-key': key },
      { authorization: `ApiKey ${key}` },
    ]) {
      const { status, body, headers: answered } = await callRow(row, headers);
      expect([headers, status, body.error.code]).toEqual([headers, 401, 'unauthorized']);
      expect(answered.get('x-ratelimit-limit')).toBeNull();
    }
    const { headers } = await callRow(row, { ...bearer(key), origin: shop });
    expect(headers.get('x-ratelimit-limit')).toBe('1000');
    expect(headers.get('access-control-allow-origin')).toBeNull();
  });

  it('429 refuses beyond the rate limit', async () => {
    const { key } = await keyWith({ rateLimitPerMinute: 1 });
    // The second call may be counted in the next minute, the third cannot.
    const beganMs = Date.now();
    const answers = [];
    for (let n = 0; n < 3; n += 1) answers.push(await callRow(row, bearer(key)));
    const refused = answers.find(({ status }) => status === 429);
    expect(refused?.body.error.code).toBe('rate_limited');
    expect(refused?.headers.get('x-ratelimit-remaining')).toBe('0');
    expect(Number(refused?.headers.get('x-ratelimit-reset'))).toBeGreaterThan(beganMs / 1_000);
  });
});

const readInBrowsers = rowsWhere(({ auth }) => auth === 'payer').filter(({ path }) => path.startsWith('/v1/public/'));

it.each([{ method: 'POST', path: '/v1/checkout-sessions' }, ...readInBrowsers])(
  '204 answers a browser that asks whether it may $method $path',
  async ({ method, path }) => {
    const url = new URL(path.replace('{id}', unknownId), stack.file.checkoutBaseUrl).href;
    const asked = { origin: shop, 'access-control-request-method': method };
    const { status, headers } = await request(url, 'OPTIONS', asked);
    expect([status, headers.get('access-control-allow-origin')]).toEqual([204, '*']);
    expect(headers.get('access-control-allow-headers')).toContain('Authorization');
  },
);

it('401 refuses a checkout key on the messaging API', async () => {
  for (const headers of [
    { 'x-api-key': stack.file.keys.checkoutSecretTest },
    bearer(stack.file.keys.checkoutSecretLive),
  ]) {
    const { status, body } = await stack.api('GET', '/messages', undefined, { 'x-api-key': '', ...headers });
    expect([status, body.error.code]).toEqual([401, 'unauthorized']);
  }
});

describe.each(forPayers.filter(({ key }) => key.startsWith('GET /v1/public/')))('$key', (row) => {
  it('404 answers an unknown and a malformed id alike', async () => {
    const answers = [];
    for (const id of [unknownId, 'x', '%00', 'a'.repeat(3_000)]) answers.push(await callRow(row, {}, id));
    for (const { status, body } of answers) expect([status, body]).toEqual([404, answers[0]?.body]);
    expect(answers[0]?.body.error.code).toBe('session_not_found');
  });
});

it.each(forPayers)('$key is answered with no-store', async ({ method, path }) => {
  const url = new URL(path.replaceAll(/\{\w+\}/g, unknownId), stack.file.checkoutBaseUrl);
  const { headers } = await fetch(url, { method, redirect: 'manual' });
  expect(headers.get('cache-control')).toBe('no-store');
});
