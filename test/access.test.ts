import { beforeAll, describe, expect, it } from 'vitest';
import { kindOf, scopeOf } from '../infra/auth.ts';
import { isWebhookManagement, type Route, routes } from '../infra/routes.ts';
import { scopes } from '../shared/accounts/api-key.ts';
import { request, type SharedStack, shareTestStack } from './test-stack.ts';

// Access rules: one runner over the route table, so that every new row is covered.

const keyed = Object.entries<Route>(routes).flatMap(([key, { auth }]) => {
  const [method = '', path = ''] = key.split(' ');
  return kindOf(auth) === 'apiKey' ? [{ key, method, path, scope: scopeOf(auth) }] : [];
});
const scoped = keyed.flatMap(({ scope, ...row }) => (scope === undefined ? [] : [{ ...row, scope }]));
const unknownId = '01932f6e-8c00-7000-8000-000000000000';

let stack: SharedStack;
let accountId: string;
let foreignIds: Readonly<Record<string, string>>;

interface Wishes {
  readonly scopes: readonly string[];
  readonly rateLimitPerMinute?: number;
}

const newKey = async (wishes: Wishes): Promise<{ readonly id: string; readonly key: string }> =>
  (await stack.admin('POST', `/accounts/${accountId}/api-keys`, { name: 'test', ...wishes })).body.data;

const made = new Map<string, ReturnType<typeof newKey>>();

/** The same key for the same wishes: most routes have few scopes between them. */
const keyWith = (wishes: Wishes): ReturnType<typeof newKey> => {
  const name = JSON.stringify(wishes);
  const key = made.get(name) ?? newKey(wishes);
  made.set(name, key);
  return key;
};

const revokedKey = async (): Promise<string> => {
  const { id, key } = await newKey({ scopes });
  await stack.admin('DELETE', `/api-keys/${id}`);
  return key;
};

/** Where `{}` is not valid. */
const bodies: Readonly<Record<string, object>> = {
  'PATCH /api/v1/messages/{id}': { sendAt: new Date(Date.now() + 3_600_000).toISOString() },
  'POST /api/v1/webhooks/{id}/rotate-secret': { overlapSeconds: 60 },
  'POST /api/v1/webhooks/{id}/replay': { since: '2026-11-20T12:00:00Z' },
};

const callRoute = (
  row: { key: string; method: string; path: string },
  headers: Readonly<Record<string, string>>,
  id = unknownId,
) =>
  request(
    new URL(row.path.replace(/\{\w+\}/, id), stack.file.apiBaseUrl).href,
    row.method,
    headers,
    row.method === 'GET' || row.method === 'DELETE' ? undefined : (bodies[row.key] ?? {}),
  );

beforeAll(async () => {
  stack = await shareTestStack();
  accountId = (await stack.admin('POST', '/accounts', { name: 'Access' })).body.data.id;
  foreignIds = await demoIds();
});

/** The code of a refusal in either shape: webhook management answers in the older one. */
const codeOf = (body: { error: string | { code: string } }) =>
  typeof body.error === 'string' ? body.error : body.error.code;

it('404 refuses to operators what is not of an account, also of the platform, where their own memberships are', async () => {
  const [operator] = (await stack.admin('GET', '/operators')).body.data;
  const calls = ['platform', unknownId].flatMap((id) => {
    const member = `/accounts/${id}/members/${operator.id}`;
    return [
      stack.admin('PATCH', member, { role: 'viewer' }),
      stack.admin('DELETE', member),
      stack.admin('GET', `/accounts/${id}/audit-log`),
    ];
  });
  for (const { status, body } of await Promise.all(calls))
    expect([status, codeOf(body)]).toEqual([404, 'account_not_found']);
});

it('the audit log says what was made', async () => {
  const make = async (path: string, body: object) => (await stack.admin('POST', path, body)).body.data;
  const { id } = await make('/accounts', { name: 'Audited' });
  const key = await make(`/accounts/${id}/api-keys`, { name: 'Key', scopes: ['messages:read'] });
  const webhook = await make(`/accounts/${id}/checkout-webhooks`, { url: 'https://example.com/h' });
  const { body } = await stack.admin('GET', '/audit-log?limit=100');
  const changed = body.data.map(({ resource }: { resource: string }) => resource.replace('/admin/v1/accounts/', ''));
  const expected = [id, `${id}/api-keys/${key.id}`, `${id}/checkout-webhooks/${webhook.id}`];
  expect(changed).toEqual(expect.arrayContaining(expected));
});

describe.each(keyed)('$key', (row) => {
  it('401 refuses a missing key', async () => {
    const { status, body, headers } = await callRoute(row, {});
    expect([status, codeOf(body)]).toEqual([401, 'unauthorized']);
    expect(headers.get('x-ratelimit-limit')).toBeNull();
  });
});

/** How a key can be wrong, and how its calls are counted, is the same at all endpoints of a surface. */
const firstOfSurfaces = [
  keyed.find(({ path }) => !isWebhookManagement(path)),
  keyed.find(({ path }) => isWebhookManagement(path)),
].flatMap((row) => row ?? []);

describe.each(firstOfSurfaces)('$key', (row) => {
  it('401 refuses a revoked, a malformed and an unknown key', async () => {
    for (const key of [await revokedKey(), '', 'mk_short', `mk_${'0'.repeat(64)}`, `sk_${'0'.repeat(64)}`]) {
      const { status, body, headers } = await callRoute(row, { 'x-api-key': key });
      expect([key, status, codeOf(body)]).toEqual([key, 401, 'unauthorized']);
      expect(headers.get('x-ratelimit-limit')).toBeNull();
    }
  });

  it('429 refuses beyond the rate limit, before it looks at the scope', async () => {
    const { key } = await newKey({ scopes: scopes.filter((scope) => scope !== row.scope), rateLimitPerMinute: 1 });
    // The second call may be counted in the next minute, the third cannot.
    const beganMs = Date.now();
    const answers = [];
    for (let n = 0; n < 3; n += 1) answers.push(await callRoute(row, { 'x-api-key': key }));
    const refused = answers.find(({ status }) => status === 429);
    expect(refused && codeOf(refused.body)).toBe('rate_limited');
    expect(refused?.headers.get('x-ratelimit-limit')).toBe('1');
    expect(refused?.headers.get('x-ratelimit-remaining')).toBe('0');
    expect(Number(refused?.headers.get('x-ratelimit-reset'))).toBeGreaterThan(beganMs / 1_000);
  });
});

describe.each(scoped)('$key', (row) => {
  it('403 refuses a key with every scope but its own', async () => {
    const { key } = await keyWith({ scopes: scopes.filter((scope) => scope !== row.scope) });
    const { status, body, headers } = await callRoute(row, { 'x-api-key': key });
    expect([status, codeOf(body)]).toEqual([403, 'forbidden_scope']);
    expect(headers.get('x-ratelimit-limit')).toBe('1000');
  });
});

const withId = scoped.filter(({ path }) => path.includes('{'));

describe.each(withId)('$key', (row) => {
  it('404 answers another account’s id, an unknown id and a malformed id alike', async () => {
    const { key } = await keyWith({ scopes: [row.scope] });
    const room = row.path.split('/')[3] ?? '';
    const answers = [];
    // `npm run fuzz` and the fuzz test try many more.
    const malformed = row === withId[0] ? ['x', '%00', 'a'.repeat(3_000)] : ['%00'];
    for (const id of [foreignIds[room] ?? unknownId, unknownId, ...malformed])
      answers.push(await callRoute(row, { 'x-api-key': key }, id));
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 404));
    expect(new Set(answers.map(({ body }) => codeOf(body))).size).toBe(1);
  });
});

/** Resources of the demo account, by room. The other account must not see them. */
const demoIds = async (): Promise<Record<string, string>> => {
  const message = await stack.api('POST', '/messages', {
    channel: 'email',
    to: 'ada@example.com',
    subject: 's',
    text: 't',
  });
  const contact = await stack.api('POST', '/contacts', { email: `${crypto.randomUUID()}@example.com` });
  const template = await stack.api('POST', '/templates', {
    channel: 'email',
    name: 'n',
    subject: 's',
    textContent: 't',
  });
  const webhook = await stack.api('POST', '/webhooks', {
    name: 'n',
    url: 'http://127.0.0.1:9/',
    events: ['message.sent'],
  });
  return {
    messages: message.body.data.id,
    contacts: contact.body.data.id,
    templates: template.body.data.id,
    webhooks: webhook.body.data.webhook.id,
  };
};
