import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startLogs } from '../../../infra/local/emulators/logs.ts';
import { localEndpoint } from '../../../infra/local/local-client.ts';
import { permissionsOf } from '../../../infra/local/permissions.ts';
import { openAwsService } from '../../../shared/aws/aws-service.ts';
import { openLogSearch } from '../../../shared/aws/log-search.ts';
import { openRequestLog } from '../../../shared/aws/request-log.ts';
import { endpoint } from '../../../shared/http/endpoint.ts';
import { exampleId } from '../../../shared/kit/id.ts';
import { call } from '../../../test/call.ts';
import { linesOf } from '../../../test/log-lines.ts';
import { startPeople } from '../../../test/people-calls.ts';
import { startWorld, type World } from '../../../test/world.ts';
import { getMessageContract } from '../../messages/get-message/contract.ts';
import { getMessage } from '../../messages/get-message/handler.ts';
import { createAccessKeyContract } from '../../people/create-access-key/contract.ts';
import { createAccessKey } from '../../people/create-access-key/handler.ts';
import { listRequestsContract } from './contract.ts';
import { listRequests } from './handler.ts';

const writer = { name: 'messages-get-message', logGroup: 'requests' };
const stranger = { ...writer, name: 'stranger', roleArn: 'arn:aws:iam::000000000000:role/stranger' };

let world: World;
let logs: Awaited<ReturnType<typeof startLogs>>;
const logDirectory = mkdtempSync(join(tmpdir(), 'requests-'));
beforeAll(async () => {
  world = await startWorld();
  const permissions = permissionsOf({
    functions: [stranger],
    roles: [{ name: 'stranger', arn: stranger.roleArn, statements: [] }],
  });
  logs = await startLogs({ logDirectory, functions: [writer], permissions });
});
afterAll(async () => {
  await logs.close();
  await world.close();
  rmSync(logDirectory, { recursive: true });
});

const searchAs = (accessKeyId: string, name = 'requests') =>
  openLogSearch(
    openAwsService('logs', { ...localEndpoint(logs.url), credentials: { accessKeyId, secretAccessKey: 'local' } }),
    name,
  );

const list = (id: string, query: Record<string, string> = {}) =>
  call(
    endpoint(
      listRequestsContract,
      listRequests({ requests: openRequestLog(searchAs('local')) }),
      world.accountOperators(),
    ),
    { path: { id }, query },
  );

/** Calls the endpoint with this key and id, and keeps its lines as Lambda does. */
const request = async (...calls: readonly { readonly key: string; readonly id: string }[]) => {
  const get = endpoint(getMessageContract, getMessage(world), world.callers('messages:read'));
  const lines = await linesOf(async () => {
    for (const { key, id } of calls) await call(get, { routeKey: 'GET /api/v1/messages/{id}', key, path: { id } });
  });
  const text = ['not of ours', ...lines.map((line, n) => JSON.stringify({ ...line, requestId: `request-${n}` }))].join(
    '\n',
  );
  writeFileSync(join(logDirectory, `${writer.name}.log`), `${text}\n`, { flag: 'a' });
};

describe('GET /admin/v1/accounts/{id}/requests', () => {
  it('200 lists the account’s own requests, refused ones included, and filters them', async () => {
    const [mine, other] = [await world.newAccount(), await world.newAccount()];
    const scopeless = await world.newAccount({ scopes: ['contacts:read'] });
    await request(
      { key: mine.key, id: exampleId },
      { key: mine.key, id: 'ada@example.com' },
      { key: other.key, id: exampleId },
      { key: scopeless.key, id: exampleId },
      { key: `mk_${'0'.repeat(64)}`, id: exampleId },
    );
    const { status, body } = await list(mine.ref.id);
    expect([status, body.pagination]).toEqual([200, { cursor: null, hasMore: false }]);
    expect(body.data.map(({ path }: { path: string }) => path).toSorted()).toEqual([
      `/api/v1/messages/${exampleId}`,
      '/api/v1/messages/{id}',
    ]);
    expect(body.data[0]).toEqual({
      at: expect.stringMatching(/^\d{4}-.*Z$/),
      method: 'GET',
      path: expect.any(String),
      route: 'GET /api/v1/messages/{id}',
      status: 404,
      errorCode: 'message_not_found',
      durationMs: expect.any(Number),
      keyPrefix: mine.key.slice(0, 7),
      requestId: expect.any(String),
      isFromDashboard: false,
      isReplay: false,
    });
    expect((await list(scopeless.ref.id)).body.data).toMatchObject([{ status: 403, errorCode: 'forbidden_scope' }]);
    const rowsFor = async (query: Record<string, string>) => (await list(mine.ref.id, query)).body.data.length;
    expect(await rowsFor({ status: '4xx', method: 'GET', path: exampleId })).toBe(1);
    expect(await rowsFor({ status: '2xx' })).toBe(0);
    expect(await rowsFor({ method: 'POST' })).toBe(0);
    expect(await rowsFor({ path: '/contacts' })).toBe(0);
    const first = (await list(mine.ref.id, { limit: '1' })).body;
    const second = (await list(mine.ref.id, { limit: '1', cursor: first.pagination.cursor })).body;
    expect([first.pagination.hasMore, [...first.data, ...second.data]]).toEqual([true, body.data]);
  });

  it('200 lists what is refused because its key is revoked, for the account of the key alone', async () => {
    const [mine, other] = [await world.newAccount(), await world.newAccount()];
    for (const { id } of await world.apiKeys.list(mine.ref.id)) await world.apiKeys.revoke(id, Date.now());
    await request({ key: mine.key, id: exampleId }, { key: other.key, id: exampleId });
    const listed = [await list(mine.ref.id), await list(other.ref.id)].map(({ body }) => body.data);
    expect(listed).toMatchObject([
      [{ status: 401, keyPrefix: mine.key.slice(0, 7) }],
      [{ status: 404, keyPrefix: other.key.slice(0, 7) }],
    ]);
  });

  it('200 says which requests come from the dashboard, and lists them or the others alone', async () => {
    const mine = await world.newAccount();
    const people = await startPeople(world);
    await people.add(mine.ref.id, 'ada@example.com', 'viewer');
    const who = await people.signIn('ada@example.com');
    const asked = { account: mine.ref, path: { id: mine.ref.id }, body: { api: 'messaging' } };
    const lent = await people.call(createAccessKeyContract, createAccessKey(world), who, asked);
    await request({ key: mine.key, id: exampleId }, { key: lent.body.data.key, id: exampleId });
    const sourcesFor = async (query: Record<string, string>) =>
      (await list(mine.ref.id, query)).body.data
        .map((row: { isFromDashboard: boolean }) => row.isFromDashboard)
        .toSorted();
    expect(await sourcesFor({})).toEqual([false, true]);
    expect(await sourcesFor({ source: 'keys' })).toEqual([false]);
    expect(await sourcesFor({ source: 'dashboard' })).toEqual([true]);
  });

  it('400 refuses wrong filters, limits and cursors', async () => {
    const { ref } = await world.newAccount();
    const wrong = [
      { source: 'people' },
      { status: '404' },
      { method: 'get' },
      { path: 'a"b' },
      { path: '*' },
      { limit: '0' },
      { cursor: 'x' },
    ];
    for (const query of wrong) expect((await list(ref.id, query)).body.error.code).toBe('invalid_request');
  });

  it('404 answers an unknown account', async () => {
    expect((await list(exampleId)).body.error.code).toBe('account_not_found');
  });
});

describe('the local CloudWatch Logs', () => {
  const span = { pattern: '{ $.a = "b" }', sinceMs: 0, untilMs: 1 };

  it('refuses a function whose role does not permit the search', async () => {
    await expect(searchAs('stranger')(span)).rejects.toThrow(
      expect.objectContaining({ name: 'AccessDeniedException' }),
    );
  });

  it('refuses a group that no function writes to, and patterns that it does not know', async () => {
    await expect(searchAs('local', 'none')(span)).rejects.toMatchObject({ name: 'ResourceNotFoundException' });
    for (const pattern of ['a b', '{ $.a != 1 }', '{ $.a >= "b" }'])
      await expect(searchAs('local')({ ...span, pattern })).rejects.toMatchObject({
        name: 'InvalidParameterException',
      });
  });
});
