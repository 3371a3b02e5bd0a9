import { execFileSync } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import {
  DescribeTableCommand,
  DescribeTimeToLiveCommand,
  DynamoDBClient,
  GetItemCommand,
  PutItemCommand,
  QueryCommand,
  ScanCommand,
} from '@aws-sdk/client-dynamodb';
import { afterEach, expect, test, vi } from 'vitest';
import type { TableSpec } from '../blueprint.ts';
import { closedAfterTest, eventually, runApart, sigkill, temporaryDirectory } from '../emulators-fixture.ts';
import { freshStart } from '../fresh-start.ts';
import { localClient } from '../local-client.ts';
import { putDateAhead } from '../shifted-date.ts';
import { StartFailure } from '../start-failure.ts';
import { type DynamodbOptions, startDynamodb } from './dynamodb.ts';
import { findDynoxide, runDynoxide } from './dynamodb-process.ts';

const things: TableSpec = {
  name: 'things',
  arn: 'arn:aws:dynamodb:us-east-1:000000000000:table/things',
  attributes: ['PK', 'SK', 'GSI1PK', 'GSI1SK'].map((name) => ({ name, type: 'S' })),
  key: { partition: 'PK', sort: 'SK' },
  indexes: [{ name: 'GSI1', key: { partition: 'GSI1PK', sort: 'GSI1SK' }, projection: 'ALL' }],
  ttlAttribute: 'expiresAt',
  streamView: 'NEW_AND_OLD_IMAGES',
};

const start = async (dataDirectory: string, options: Partial<DynamodbOptions> = {}) => {
  const dynamodb = closedAfterTest(await startDynamodb({ dataDirectory, tables: [things], ...options }));
  const client = new DynamoDBClient({ ...localClient(dynamodb.url), maxAttempts: 1 });
  const Key = (id: string) => ({ PK: { S: id }, SK: { S: 'THING' } });
  const put = (id: string, more = {}) =>
    client.send(new PutItemCommand({ TableName: 'things', Item: { ...Key(id), ...more } }));
  const get = async (id: string) => (await client.send(new GetItemCommand({ TableName: 'things', Key: Key(id) }))).Item;
  return { ...dynamodb, client, put, get };
};

const openFile = (dataDirectory: string) =>
  closedAfterTest(new DatabaseSync(join(dataDirectory, 'dynamodb.sqlite'), { timeout: 5_000 }));

const pidOver = (dataDirectory: string): number =>
  Number(execFileSync('pgrep', ['-f', `^[^ ]*/dynoxide serve .*${dataDirectory}`]));

afterEach(() => vi.unstubAllEnvs());
afterEach(() => putDateAhead(0));

test('a table of the template has its keys, index, TTL and stream', async () => {
  const { client, put } = await start(await temporaryDirectory());
  await put('one', { GSI1PK: { S: 'kind' }, GSI1SK: { S: '1' } });
  const { Items } = await client.send(
    new QueryCommand({
      TableName: 'things',
      IndexName: 'GSI1',
      KeyConditionExpression: 'GSI1PK = :kind',
      ExpressionAttributeValues: { ':kind': { S: 'kind' } },
    }),
  );
  expect(Items).toMatchObject([{ PK: { S: 'one' } }]);
  const { Table } = await client.send(new DescribeTableCommand({ TableName: 'things' }));
  expect(Table).toMatchObject({
    BillingModeSummary: { BillingMode: 'PAY_PER_REQUEST' },
    StreamSpecification: { StreamEnabled: true, StreamViewType: 'NEW_AND_OLD_IMAGES' },
  });
  const ttl = await client.send(new DescribeTimeToLiveCommand({ TableName: 'things' }));
  expect(ttl.TimeToLiveDescription).toMatchObject({ TimeToLiveStatus: 'ENABLED', AttributeName: 'expiresAt' });
});

test('items are still there after a restart', async () => {
  const dataDirectory = await temporaryDirectory();
  const first = await start(dataDirectory);
  await first.put('kept');
  await first.close();
  const second = await start(dataDirectory);
  expect(await second.get('kept')).toBeDefined();
});

test('an index that a newer template has is built over the items that are there', async () => {
  const dataDirectory = await temporaryDirectory();
  const first = await start(dataDirectory);
  await first.put('one', { GSI2PK: { S: 'kind' }, GSI2SK: { S: '1' }, more: { S: 'left out' } });
  await first.close();
  const attributes = [...things.attributes, ...['GSI2PK', 'GSI2SK'].map((name) => ({ name, type: 'S' as const }))];
  const index = { name: 'GSI2', key: { partition: 'GSI2PK', sort: 'GSI2SK' }, projection: 'KEYS_ONLY' } as const;
  const { client } = await start(dataDirectory, {
    tables: [{ ...things, attributes, indexes: [...things.indexes, index] }],
  });
  const { Items } = await client.send(
    new QueryCommand({
      TableName: 'things',
      IndexName: 'GSI2',
      KeyConditionExpression: 'GSI2PK = :kind',
      ExpressionAttributeValues: { ':kind': { S: 'kind' } },
    }),
  );
  expect(Items).toEqual([{ PK: { S: 'one' }, SK: { S: 'THING' }, GSI2PK: { S: 'kind' }, GSI2SK: { S: '1' } }]);
});

test('a table that was made with another key ends the start with one line', async () => {
  const dataDirectory = await temporaryDirectory();
  const first = await start(dataDirectory);
  await first.close();
  const tables = [
    { ...things, key: { partition: 'PK' }, attributes: things.attributes.filter((a) => a.name !== 'SK') },
  ];
  const starting = startDynamodb({ dataDirectory, tables });
  await expect(starting).rejects.toThrow(StartFailure);
  await expect(starting).rejects.toThrow(
    `(Table things was created with other keys, indexes or stream settings). Start without the data: ${freshStart(dataDirectory)}`,
  );
});

test('items past their TTL are removed on demand, as DynamoDB removes them', async () => {
  const dataDirectory = await temporaryDirectory();
  const { put, get, sweepExpired } = await start(dataDirectory);
  const nowSeconds = Math.floor(Date.now() / 1_000);
  await put('expired', { expiresAt: { N: `${nowSeconds - 10}` } });
  await put('alive', { expiresAt: { N: `${nowSeconds + 1_000}` } });
  await put('eternal');
  await sweepExpired();
  expect(await get('expired')).toBeUndefined();
  expect(await get('alive')).toBeDefined();
  expect(await get('eternal')).toBeDefined();
  const removal = openFile(dataDirectory).prepare("SELECT * FROM _stream_records WHERE event_name = 'REMOVE'").get();
  expect(removal).toMatchObject({ user_identity: expect.stringContaining('dynamodb.amazonaws.com') });
});

test('the database counts as started when the address that removes items answers too', async () => {
  const folder = await temporaryDirectory();
  const program = join(folder, 'slow-dynoxide');
  const lines = [
    `#!${process.execPath}`,
    `const portOf = (flag) => Number(process.argv[process.argv.indexOf(flag) + 1]);`,
    `const open = (flag) => require('node:http').createServer((_, answer) => answer.end()).listen(portOf(flag), '127.0.0.1');`,
    `open('--port').on('connection', () => setTimeout(() => open('--mcp-port').on('error', () => {}), 200));`,
  ];
  await writeFile(program, lines.join('\n'), { mode: 0o755 });
  const { mcp, stop } = await runDynoxide(program, join(folder, 'no-file'), () => {});
  closedAfterTest({ close: stop });
  expect(await fetch(mcp.url, { headers: mcp.headers })).toMatchObject({ ok: true });
});

test.each([
  ['does not listen', '#!/bin/sh\nexec sleep 600'],
  [
    'takes calls',
    `#!${process.execPath}\nrequire('node:net').createServer(() => {}).listen(process.argv[process.argv.indexOf('--port') + 1], '127.0.0.1')`,
  ],
])('a database that %s and does not answer ends the start without advice to delete the data', async (_, text) => {
  const folder = await temporaryDirectory();
  const program = join(folder, 'mute-dynoxide');
  await writeFile(program, text, { mode: 0o755 });
  const starting = runDynoxide(program, join(folder, 'no-file'), () => {}, 300);
  await expect(starting).rejects.toThrow(
    /^DynamoDB \(dynoxide\) runs, but did not answer at http:\S+ within 0\.3 s\. Start again\.$/,
  );
});

test('the address that removes items takes no command without its token, which no page in a browser knows', async () => {
  const folder = await temporaryDirectory();
  const { mcp, stop } = await runDynoxide(findDynoxide() ?? '', join(folder, 'dynamodb.sqlite'), () => {});
  closedAfterTest({ close: stop });
  const list = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list' });
  const headers = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' };
  const ask = (more: object) => fetch(mcp.url, { method: 'POST', headers: { ...headers, ...more }, body: list });
  expect((await ask({})).status).toBe(401);
  expect((await ask(mcp.headers)).status).toBe(200);
});

test('after time was skipped, items past their TTL go by the new time, and stream records are as old as they were', async () => {
  const dataDirectory = await temporaryDirectory();
  const { put, get, sweepExpired } = await start(dataDirectory);
  const nowSeconds = Math.floor(Date.now() / 1_000);
  await put('session', { expiresAt: { N: `${nowSeconds + 3_600}` } });
  await put('alive', { expiresAt: { N: `${nowSeconds + 400_000}` } });
  await put('eternal');
  expect(await sweepExpired()).toBe(0);
  expect(await get('session')).toBeDefined();
  putDateAhead(3 * 86_400_000);
  expect(await sweepExpired()).toBe(1);
  expect(await Promise.all(['session', 'alive', 'eternal'].map(get))).toEqual([
    undefined,
    expect.anything(),
    expect.anything(),
  ]);
  expect(openFile(dataDirectory).prepare('SELECT event_name FROM _stream_records').all()).toHaveLength(4);
});

test('stream records older than a day are trimmed, except the newest of a table', async () => {
  const dataDirectory = await temporaryDirectory();
  const { put, sweepExpired } = await start(dataDirectory);
  for (const id of ['a', 'b', 'c']) await put(id);
  const file = openFile(dataDirectory);
  const sequenceNumbers = () =>
    file
      .prepare('SELECT sequence_number FROM _stream_records ORDER BY id')
      .all()
      .map((row) => row['sequence_number']);
  file.exec("UPDATE _stream_records SET created_at = created_at - 90000 WHERE sequence_number < '3'");
  await sweepExpired();
  expect(sequenceNumbers()).toEqual(['3']);
  file.exec('UPDATE _stream_records SET created_at = created_at - 90000');
  await sweepExpired();
  await put('d');
  expect(sequenceNumbers()).toEqual(['3', '4']);
});

test('finding a stream record stays fast with many records', async () => {
  const dataDirectory = await temporaryDirectory();
  await start(dataDirectory);
  const plan = openFile(dataDirectory)
    .prepare(
      'EXPLAIN QUERY PLAN SELECT MAX(CAST(sequence_number AS INTEGER)) FROM _stream_records WHERE table_name = ?',
    )
    .all('things');
  expect(plan).toMatchObject([{ detail: expect.stringContaining('INDEX ix_seq') }]);
});

test('a SIGKILL of the database is reported once and loses nothing', async () => {
  const dataDirectory = await temporaryDirectory();
  const onExit = vi.fn();
  const first = await start(dataDirectory, { onExit });
  await Promise.all(Array.from({ length: 50 }, (_, index) => first.put(`thing ${index}`)));
  process.kill(pidOver(dataDirectory), 'SIGKILL');
  await eventually(() => expect(onExit).toHaveBeenCalled());
  await first.close();
  expect(onExit.mock.calls).toEqual([['DynamoDB (dynoxide) ended unexpectedly (SIGKILL); restart the stack.']]);

  const second = await start(dataDirectory);
  const { Count } = await second.client.send(new ScanCommand({ TableName: 'things', Select: 'COUNT' }));
  expect(Count).toBe(50);
});

test('a SIGKILL of the database is reported also when it is seen only while it is closed', async () => {
  const dataDirectory = await temporaryDirectory();
  const onExit = vi.fn();
  const { close } = await start(dataDirectory, { onExit });
  process.kill(pidOver(dataDirectory), 'SIGKILL');
  await close();
  expect(onExit).toHaveBeenCalledOnce();
});

test('closing ends the database without a report', async () => {
  const dataDirectory = await temporaryDirectory();
  const onExit = vi.fn();
  const { close, url } = await start(dataDirectory, { onExit });
  await close();
  await expect(fetch(url)).rejects.toThrow('fetch failed');
  expect(() => pidOver(dataDirectory)).toThrow();
  expect(onExit).not.toHaveBeenCalled();
});

test('the database ends with a stack that was killed', async () => {
  const dataDirectory = await temporaryDirectory();
  const { child, line: url } = await runApart(`
    import { startDynamodb } from ${JSON.stringify(join(import.meta.dirname, 'dynamodb.ts'))};
    console.log((await startDynamodb(${JSON.stringify({ dataDirectory, tables: [things] })})).url);
  `);
  await expect(fetch(url)).resolves.toMatchObject({ ok: true });
  await sigkill(child);
  await eventually(() => expect(fetch(url)).rejects.toThrow('fetch failed'));
  expect(() => pidOver(dataDirectory)).toThrow();
});

test('an unreadable database file ends the start with one line', async () => {
  const dataDirectory = await temporaryDirectory();
  await writeFile(
    join(dataDirectory, 'dynamodb.sqlite'),
    'not a database, but long enough to be read as one'.repeat(99),
  );
  const starting = startDynamodb({ dataDirectory, tables: [things] });
  await expect(starting).rejects.toThrow(StartFailure);
  await expect(starting).rejects.toThrow(/^DynamoDB did not start over .*sqlite \(.*not a valid.*\): npm start/);
  await expect(starting).rejects.toThrow(freshStart(dataDirectory));
});

test('with DYNAMODB_ENDPOINT, tables are created there and no database is started or stopped', async () => {
  const running = await start(await temporaryDirectory(), { tables: [] });
  vi.stubEnv('DYNAMODB_ENDPOINT', running.url);
  const dataDirectory = await temporaryDirectory();
  const { url, put, close } = await start(dataDirectory);
  expect(url).toBe(running.url);
  await put('there');
  await close();
  expect(await running.get('there')).toBeDefined();
  expect(() => pidOver(dataDirectory)).toThrow();
  vi.stubEnv('DYNAMODB_ENDPOINT', 'http://127.0.0.1:1');
  await expect(start(dataDirectory)).rejects.toThrow(/ECONNREFUSED.+\. Start it, .+ or unset DYNAMODB_ENDPOINT\.$/);
});

test('without a DynamoDB for the machine, one line says which package to install', async () => {
  const { line } = await runApart(`
    import { startDynamodb } from ${JSON.stringify(join(import.meta.dirname, 'dynamodb.ts'))};
    Object.defineProperty(process, 'arch', { value: 'pdp11' });
    process.env.PATH = '';
    await startDynamodb({ dataDirectory: '/nowhere', tables: [] }).catch(({ message }) => console.log(message));
  `);
  expect(line).toMatch(/^DynamoDB is missing: put "dynoxide" .* on the PATH, or .* set DYNAMODB_ENDPOINT\.$/);
});
