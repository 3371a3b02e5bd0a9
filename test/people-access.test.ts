import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createAccountContract } from '../functions/admin/create-account/contract.ts';
import { createAccount } from '../functions/admin/create-account/handler.ts';
import { kindOf } from '../infra/auth.ts';
import { type Route, routes } from '../infra/routes.ts';
import { contract } from '../shared/http/contract.ts';
import { endpoint } from '../shared/http/endpoint.ts';
import { peopleSurface, type Wanted } from '../shared/http/people-surface.ts';
import { Unavailable } from '../shared/kit/fault.ts';
import { newId } from '../shared/kit/id.ts';
import { platform, type Role } from '../shared/people/person.ts';
import { makeOperatorToken } from '../shared/people/secret.ts';
import { sessionCookie } from '../shared/people/session-cookie.ts';
import { accessKeyStore } from '../shared/table/people/access-key-store.ts';
import { call } from './call.ts';
import { startWorld, type TestAccount, type World } from './world.ts';

let world: World;
let account: TestAccount;
let other: TestAccount;
let token: string;
const nowMs = Date.now();
const origin = { address: '203.0.113.7', userAgent: 'test' };

/** The cookie of a new session of this person. */
const signedIn = async (email: string): Promise<string> => {
  const person = (await world.members.personOf(email)) ?? '';
  const link = await world.signIns.link({ person, email }, nowMs);
  return `${sessionCookie}=${await world.signIns.exchange(link, origin, nowMs)}`;
};

const addMember = (place: string, email: string, role: Role | 'operator') =>
  world.members.add(place, { id: newId(nowMs), email, role, invitedBy: 'test' });

beforeAll(async () => {
  world = await startWorld();
  [account, other] = await Promise.all([world.newAccount(), world.newAccount()]);
  token = makeOperatorToken();
  await world.signIns.createToken(token, { id: newId(nowMs), name: 'job', createdBy: 'test' }, world.dataKeys);
  await addMember(platform, 'operator@example.com', 'operator');
  for (const role of ['owner', 'developer', 'viewer'] as const)
    await addMember(account.ref.id, `${role}@example.com`, role);
  await addMember(other.ref.id, 'stranger@example.com', 'owner');
});
afterAll(() => world.close());

const surfaceOf = ({ whileActive, ...wanted }: Asked) =>
  peopleSurface({ wanted, ...world, whileActive: whileActive && world.accounts });
const ok = contract({ summary: 's', status: 204 });

type Asked = Wanted & { readonly whileActive?: true };

interface Asking {
  readonly cookie?: string;
  readonly authorization?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly path?: Readonly<Record<string, string>>;
}

/** Calls a row as this caller: 204 when it lets them in. */
const ask = async (key: string, wanted: Asked, { cookie, authorization, headers, path }: Asking) => {
  const handler = endpoint(
    ok,
    async () => undefined,
    surfaceOf(wanted),
    () => nowMs,
  );
  const withCookie = (event: never, context: never) =>
    handler({ ...(event as object), ...(cookie && { cookies: [cookie] }) } as never, context);
  return call(withCookie as never, {
    routeKey: key,
    headers: { 'sec-fetch-site': 'same-origin', ...(authorization && { authorization }), ...headers },
    ...(path && { path }),
  });
};

const rows = Object.entries<Route>(routes).flatMap(([key, { auth }]) =>
  kindOf(auth) === 'role' && typeof auth === 'object' && 'role' in auth ? [{ key, auth }] : [],
);
const members = ['viewer', 'developer', 'owner'] as const;

/** What a member of the account gets. Only accounts exist here: what another id names is unknown to every member. */
const answerTo = (given: Role, { role, of }: Wanted): number => {
  if (role === 'anyone') return 204;
  if (of !== undefined && of !== 'account') return 404;
  return role !== 'operator' && members.indexOf(given) >= members.indexOf(role) ? 204 : 403;
};

const answerToStranger = ({ role, of }: Wanted): number => {
  if (role === 'anyone') return 204;
  return of ? 404 : 403;
};

describe('every row of the admin API', () => {
  const cookies: Record<string, Promise<string>> = {};
  const cookieOf = (who: string): Promise<string> => {
    cookies[who] ??= signedIn(`${who}@example.com`);
    return cookies[who];
  };

  it.each(rows)('lets in exactly those whom its role names: $key', async ({ key, auth }) => {
    const named = auth.of === 'account' ? account.ref.id : newId(nowMs);
    const [, parameter = 'id'] = /\{(\w+)\}/.exec(key) ?? [];
    const path = { [parameter]: named };
    const seen = async (asking: Asking) => (await ask(key, auth, { ...asking, path })).status;
    const as = async (who: string) => seen({ cookie: await cookieOf(who) });
    expect({
      nobody: await seen({}),
      unknown: await seen({ authorization: `Bearer ${makeOperatorToken()}` }),
      token: await seen({ authorization: `Bearer ${token}` }),
      operator: await as('operator'),
      owner: await as('owner'),
      developer: await as('developer'),
      viewer: await as('viewer'),
      stranger: await as('stranger'),
    }).toEqual({
      ...{ nobody: 401, unknown: 401, token: 204, operator: 204 },
      owner: answerTo('owner', auth),
      developer: answerTo('developer', auth),
      viewer: answerTo('viewer', auth),
      stranger: answerToStranger(auth),
    });
  });
});

describe('in a frozen account', () => {
  it('members move no money, change no payment method and invite nobody, as with a key that they are lent; operators may', async () => {
    const moving: Asked = { role: 'owner', of: 'account', whileActive: true };
    const frozen = (await world.newAccount({ settings: { status: 'frozen' } })).ref.id;
    await addMember(frozen, 'frozen@example.com', 'owner');
    const as = async (email: string, wanted = moving) =>
      ask('POST /x/{id}', wanted, { cookie: await signedIn(email), path: { id: frozen } });
    const { status, body } = await as('frozen@example.com');
    expect([status, body.error]).toMatchObject([403, { code: 'forbidden_scope', message: 'The account is frozen.' }]);
    expect((await as('frozen@example.com', { role: 'owner', of: 'account' })).status).toBe(204);
    expect((await as('operator@example.com')).status).toBe(204);
    expect((await as('stranger@example.com')).status).toBe(404);
    const byJob = { authorization: `Bearer ${token}`, path: { id: frozen } };
    expect((await ask('POST /x/{id}', moving, byJob)).status).toBe(204);
  });

  it('these are invitations, refunds, reviews and payment methods', () => {
    expect(rows.filter(({ auth }) => auth.whileActive).map(({ key }) => key)).toEqual([
      'POST /admin/v1/accounts/{id}/members',
      'POST /admin/v1/payments/{paymentId}/refunds',
      'POST /admin/v1/payments/{paymentId}/refunds/{refundId}/resolution',
      'POST /admin/v1/payments/{paymentId}/resolution',
      'PUT /admin/v1/accounts/{id}/checkout-methods',
    ]);
  });
});

const read: Wanted = { role: 'viewer', of: 'account' };
const change: Wanted = { role: 'developer', of: 'account' };
const onAccount = () => ({ path: { id: account.ref.id } });

it.each(['constructor', '__proto__', 'toString'])('%s is an account that no member has', async (id) => {
  const cookie = await signedIn('owner@example.com');
  const { status, body } = await ask('POST /x/{id}', change, { cookie, path: { id } });
  expect([status, body.error.code]).toEqual([404, 'account_not_found']);
});

it('the account of a row is that of the first parameter of its path, in whichever order the parameters come', async () => {
  const cookie = await signedIn('owner@example.com');
  const status = async (path: Readonly<Record<string, string>>) =>
    (await ask('POST /x/{accountId}/y/{id}', change, { cookie, path })).status;
  expect(await status({ id: other.ref.id, accountId: account.ref.id })).toBe(204);
  expect(await status({ id: account.ref.id, accountId: other.ref.id })).toBe(404);
});

describe('a session', () => {
  it('is opened once by a link, and not after its ten minutes', async () => {
    const person = (await world.members.personOf('owner@example.com')) ?? '';
    const link = await world.signIns.link({ person, email: 'owner@example.com' }, nowMs);
    expect(await world.signIns.exchange(link, origin, nowMs + 601_000)).toBeUndefined();
    expect(await world.signIns.exchange(link, origin, nowMs)).toMatch(/^[0-9a-f]{64}$/);
    expect(await world.signIns.exchange(link, origin, nowMs)).toBeUndefined();
    expect(await world.signIns.exchange('0'.repeat(64), origin, nowMs)).toBeUndefined();
  });

  it('changes nothing for a page of another site', async () => {
    const cookie = await signedIn('owner@example.com');
    const from = (headers: Record<string, string>) =>
      ask('POST /x/{id}', change, { cookie, headers, ...onAccount() }).then(({ status }) => status);
    expect(await from({ 'sec-fetch-site': 'cross-site' })).toBe(403);
    expect(await from({ 'sec-fetch-site': 'same-site' })).toBe(403);
    expect(await from({ 'sec-fetch-site': 'same-origin' })).toBe(204);
  });

  it('is refused at once when it was ended', async () => {
    const cookie = await signedIn('viewer@example.com');
    const get = () => ask('GET /x/{id}', read, { cookie, ...onAccount() }).then(({ status }) => status);
    expect(await get()).toBe(204);
    await world.signIns.signOut((await world.signIns.callerWithSession(cookie.split('=')[1] ?? '', nowMs))?.hash ?? '');
    expect(await get()).toBe(401);
  });
});

describe('a role', () => {
  it('counts as it is now, and the last owner keeps theirs', async () => {
    const place = (await world.newAccount()).ref.id;
    for (const name of ['one', 'two']) await addMember(place, `${name}@example.com`, 'owner');
    const cookie = await signedIn('two@example.com');
    const attempt = () => ask('POST /x/{id}', { role: 'owner', of: 'account' }, { cookie, path: { id: place } });
    expect((await attempt()).status).toBe(204);
    const [one, two] = await world.members.list(place, { cursor: undefined, limit: 10 });
    const found = await Promise.all(
      [one, two]
        .toSorted((a, b) => (a?.email ?? '').localeCompare(b?.email ?? ''))
        .map((each) => world.members.find(place, each?.id ?? '')),
    );
    const [first, second] = found;
    if (!first || !second) return expect.fail('both are members');
    expect(await world.members.changeRole(place, second, 'viewer')).toBe('done');
    expect((await attempt()).status).toBe(403);
    expect(await world.members.changeRole(place, second, 'developer')).toBe('changed');
    expect(await world.members.changeRole(place, first, 'viewer')).toBe('last');
    expect(await world.members.remove(place, first)).toBe('last');
    expect(await addMember(place, 'one@example.com', 'viewer')).toBe(false);
  });
});

describe('the audit log', () => {
  it('has what an operator tries on no account, however long its name: no log of an account has such a key', async () => {
    const path = { id: 'x'.repeat(3_000) };
    expect((await ask('POST /nowhere/{id}', change, { authorization: `Bearer ${token}`, path })).status).toBe(204);
    const span = { cursor: undefined, limit: 5_000, fromMs: undefined, toMs: undefined };
    const all = await world.audit.list(undefined, span, nowMs);
    expect(all.find(({ action }) => action === 'POST /nowhere/{id}')).toMatchObject({ accountId: null, status: 204 });
  });

  it('has each change with its end, refused ones too, and one that crashed without a status', async () => {
    const place = await world.newAccount();
    await addMember(place.ref.id, 'viewer@example.com', 'viewer');
    const cookie = await signedIn('viewer@example.com');
    const path = { id: place.ref.id };
    await ask('POST /refused/{id}', change, { cookie, path });
    await ask('POST /done/{id}', change, { authorization: `Bearer ${token}`, path });
    await ask('GET /read/{id}', read, { cookie, path });
    const key = (await world.signIns.callerWithToken(token))?.sealedKey ?? '';
    const actor = await world.audit.seal(key, { kind: 'token', email: null, name: 'job', ...origin });
    const begun = { actor, sealedKey: key, action: 'POST /crashed/{id}', resource: '/', account: place.ref.id };
    await world.audit.begin(begun, nowMs + 1);
    const span = { cursor: undefined, limit: 10, fromMs: undefined, toMs: undefined };
    const entries = await world.audit.list(place.ref.id, span, nowMs);
    expect(
      new Set(entries.map(({ action, status, actor: { email, name } }) => ({ action, status, email, name }))),
    ).toEqual(
      new Set([
        { action: 'POST /crashed/{id}', status: null, email: null, name: 'job' },
        { action: 'POST /done/{id}', status: 204, email: null, name: 'job' },
        { action: 'POST /refused/{id}', status: 403, email: 'viewer@example.com', name: null },
      ]),
    );
    const all = await world.audit.list(undefined, { ...span, limit: 5_000 }, nowMs);
    expect(all.map(({ id }) => id)).toEqual(expect.arrayContaining(entries.map(({ id }) => id)));
    const items = JSON.stringify(await world.scan());
    expect(items).not.toContain('viewer@example.com');
  });
});

it('the audit log of an account begins with its creation', async () => {
  const key = 'POST /admin/v1/accounts';
  const { auth } = rows.find((row) => row.key === key) ?? expect.fail(key);
  const handler = endpoint(createAccountContract, createAccount(world), surfaceOf(auth), () => nowMs);
  const asked = { routeKey: key, headers: { authorization: `Bearer ${token}` }, body: { name: 'Acme' } };
  const { id } = (await call(handler, asked)).body.data;
  const span = { cursor: undefined, limit: 10, fromMs: undefined, toMs: undefined };
  expect(await world.audit.list(id, span, nowMs)).toMatchObject([{ action: key, accountId: id, status: 201 }]);
});

it('the audit log has the keys that a program was lent, and not those that come with each page of the dashboard', async () => {
  const place = await world.newAccount();
  await addMember(place.ref.id, 'owner@example.com', 'owner');
  const key = 'POST /admin/v1/accounts/{id}/access-keys';
  const lending = rows.find((row) => row.key === key)?.auth ?? expect.fail(key);
  const path = { id: place.ref.id };
  expect((await ask(key, lending, { cookie: await signedIn('owner@example.com'), path })).status).toBe(204);
  expect((await ask(key, lending, { authorization: `Bearer ${token}`, path })).status).toBe(204);
  const span = { cursor: undefined, limit: 10, fromMs: undefined, toMs: undefined };
  const entries = await world.audit.list(place.ref.id, span, nowMs);
  expect(entries.map(({ action, actor }) => [action, actor.name])).toEqual([[key, 'job']]);
});

describe('a short-lived key', () => {
  const lend = async (email: string, roles: Record<string, Role>) => {
    const cookie = await signedIn(email);
    const known = await world.signIns.callerWithSession(cookie.split('=')[1] ?? '', nowMs);
    if (!known) return expect.fail('signed in');
    const caller = { ...known, isOperator: false, roles };
    const key = `mk_${makeOperatorToken().slice(3)}`;
    const lent = { actor: new Uint8Array([1]), sealedKey: known.sealedKey };
    const loan = { api: 'messaging', key, used: { scopes: ['messages:read'] }, lent } as const;
    return { caller, key, until: await world.accessKeys.lend(account.ref, caller, loan, nowMs) };
  };

  it('works for 15 minutes, is in no list, and ends with its session', async () => {
    const { caller, key, until } = await lend('viewer@example.com', { [account.ref.id]: 'viewer' });
    expect(until).toBe(new Date(Math.floor(nowMs / 1_000 + 900) * 1_000).toISOString());
    expect(await world.apiKeys.admit(key, nowMs)).toMatchObject({ scopes: ['messages:read'] });
    expect(await world.apiKeys.admit(key, nowMs + 901_000)).toHaveProperty('refused');
    expect(await world.apiKeys.list(account.ref.id)).toHaveLength(1);
    await world.accessKeys.end(caller.person, { session: caller.id }, nowMs);
    expect(await world.apiKeys.admit(key, nowMs)).toHaveProperty('refused');
  });

  it('that is over, or was ended before, is not ended again', async () => {
    const { caller } = await lend('viewer@example.com', { [account.ref.id]: 'viewer' });
    const keysIn = async () => (await world.scan()).filter(({ PK }) => PK === `ACCESS#${caller.person}`).length;
    const lentBefore = await keysIn();
    await world.accessKeys.end(caller.person, {}, nowMs + 900_000);
    expect(await keysIn()).toBe(lentBefore);
    await world.accessKeys.end(caller.person, {}, nowMs);
    expect(await keysIn()).toBe(0);
  });

  it('ends with the others, and where the run is cut off, the next one has only those that are left', async () => {
    const { caller } = await lend('developer@example.com', { [account.ref.id]: 'developer' });
    for (let n = 1; n < 60; n += 1) await lend('developer@example.com', { [account.ref.id]: 'developer' });
    let calls = 0;
    const limited = accessKeyStore({
      ...world.table,
      update: async (input) => {
        calls += 1;
        if (calls > 50) throw new Unavailable('the table');
        return world.table.update(input);
      },
    });
    await expect(limited.end(caller.person, {}, nowMs)).rejects.toThrow('the table');
    calls = 0;
    await limited.end(caller.person, {}, nowMs);
    expect(calls).toBe(10);
  });

  it('is not lent to one who has lost the role meanwhile', async () => {
    expect((await lend('viewer@example.com', { [account.ref.id]: 'owner' })).until).toBeUndefined();
  });
});
