import { once } from 'node:events';
import { mkdir, readdir, writeFile } from 'node:fs/promises';
import { get, request } from 'node:http';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import {
  DeleteObjectCommand,
  GetObjectCommand,
  HeadObjectCommand,
  ListBucketsCommand,
  ListObjectsV2Command,
  PutObjectCommand,
  S3Client,
} from '@aws-sdk/client-s3';
import { expect, onTestFinished, test, vi } from 'vitest';
import { dayMs } from '../../../shared/kit/time-units.ts';
import { closedAfterTest, eventually, runApart, sigkill, temporaryDirectory } from '../emulators-fixture.ts';
import { freshStart } from '../fresh-start.ts';
import { localClient } from '../local-client.ts';
import { noPermissions, type Permissions } from '../permissions.ts';
import { startS3 } from './s3.ts';

const buckets = [{ name: 'files', expirations: [{ prefix: 'short/', days: 1 }] }];

const start = async ({
  dataDirectory,
  permissions = noPermissions,
  nowMs = Date.now(),
}: {
  dataDirectory?: string;
  permissions?: Permissions;
  nowMs?: number;
} = {}) => {
  const directory = dataDirectory ?? (await temporaryDirectory());
  const s3 = closedAfterTest(await startS3({ dataDirectory: directory, buckets, permissions, clock: () => nowMs }));
  const client = new S3Client({ ...localClient(s3.url), forcePathStyle: true, maxAttempts: 1 });
  const put = (Key: string, Body: string) =>
    client.send(new PutObjectCommand({ Bucket: 'files', Key, Body, ContentType: 'text/plain' }));
  const keys = async (input: { Prefix?: string; StartAfter?: string; MaxKeys?: number } = {}) => {
    const {
      Contents = [],
      IsTruncated,
      KeyCount,
    } = await client.send(new ListObjectsV2Command({ Bucket: 'files', ...input }));
    expect(KeyCount).toBe(Contents.length);
    return { keys: Contents.map(({ Key }) => Key), IsTruncated };
  };
  return { s3, client, put, keys, directory };
};

test('the SDK writes, reads, lists and deletes objects', async () => {
  const { client, put, keys } = await start();
  for (const key of ['b/<2>', 'a', 'b/1']) await put(key, `content of ${key}`);
  expect((await client.send(new ListBucketsCommand())).Buckets).toMatchObject([{ Name: 'files' }]);
  expect(await keys()).toEqual({ keys: ['a', 'b/1', 'b/<2>'], IsTruncated: false });
  expect(await keys({ Prefix: 'b/', MaxKeys: 1 })).toEqual({ keys: ['b/1'], IsTruncated: true });
  expect(await keys({ StartAfter: 'b/1' })).toEqual({ keys: ['b/<2>'], IsTruncated: false });
  const object = { Bucket: 'files', Key: 'b/<2>' };
  const { Body, ContentType, ContentRange } = await client.send(
    new GetObjectCommand({ ...object, Range: 'bytes=8-9' }),
  );
  expect([await Body?.transformToString(), ContentType, ContentRange]).toEqual(['of', 'text/plain', 'bytes 8-9/16']);
  expect(await client.send(new HeadObjectCommand(object))).toMatchObject({ ContentLength: 16 });
  await client.send(new DeleteObjectCommand(object));
  await expect(client.send(new GetObjectCommand(object))).rejects.toThrow('The specified key does not exist.');
  await expect(client.send(new ListObjectsV2Command({ Bucket: 'other' }))).rejects.toThrow('bucket does not exist');
});

test('a caller does what its role permits, and learns of missing objects only if it may list the bucket', async () => {
  const permissions: Permissions = {
    refusalOf: (_, accesses) =>
      accesses().some(
        ({ action, resource }) => action !== 's3:GetObject' || !resource.startsWith('arn:aws:s3:::files/a/'),
      )
        ? 'not permitted'
        : undefined,
  };
  const { client, put, directory } = await start({ permissions });
  await expect(put('a/1', 'x')).rejects.toThrow('not permitted');
  const read = (Key: string) => client.send(new HeadObjectCommand({ Bucket: 'files', Key }));
  await expect(read('a/1')).rejects.toMatchObject({ $metadata: { httpStatusCode: 403 } });
  const { put: mayPut } = await start({ dataDirectory: directory });
  await mayPut('a/1', 'x');
  expect(await read('a/1')).toMatchObject({ ContentLength: 1 });
});

test('objects survive a SIGKILL, until a lifecycle rule ends them', async () => {
  const dataDirectory = await temporaryDirectory();
  const module = new URL('./s3.ts', import.meta.url).href;
  const { child, line } = await runApart(
    `const { startS3 } = await import('${module}');
     console.log((await startS3({ dataDirectory: '${dataDirectory}', buckets: ${JSON.stringify(buckets)} })).url);`,
  );
  for (const key of ['short/1', 'long/1'])
    expect((await fetch(`${line}/files/${key}`, { method: 'PUT', body: key })).status).toBe(200);
  await sigkill(child);
  const { keys } = await start({ dataDirectory });
  expect(await keys()).toMatchObject({ keys: ['long/1', 'short/1'] });
  const later = await start({ dataDirectory, nowMs: Date.now() + dayMs });
  expect(await later.keys()).toMatchObject({ keys: ['long/1'] });
});

test('objects that cannot be deleted when they expire, as on a full disk, end nothing, and are deleted later', async () => {
  const complained = vi.spyOn(console, 'error').mockReturnValue();
  onTestFinished(() => complained.mockRestore());
  const dataDirectory = await temporaryDirectory();
  let nowMs = Date.now();
  const s3 = closedAfterTest(await startS3({ dataDirectory, buckets, clock: () => nowMs, expireEveryMs: 10 }));
  const object = `${s3.url}/files/short/1`;
  await fetch(object, { method: 'PUT', body: 'x' });
  const other = closedAfterTest(new DatabaseSync(join(dataDirectory, 's3', 'objects.db')));
  other.exec('BEGIN IMMEDIATE');
  nowMs += 2 * dayMs;
  await eventually(() => expect(complained).toHaveBeenCalledWith(expect.stringContaining('cannot be deleted')));
  expect((await fetch(object, { method: 'HEAD' })).status).toBe(200);
  other.exec('ROLLBACK');
  await eventually(async () => expect((await fetch(object, { method: 'HEAD' })).status).toBe(404));
});

test('an upload that its caller cuts off leaves nothing behind, and is no failure of the stack', async () => {
  const complained = vi.spyOn(console, 'error');
  onTestFinished(() => complained.mockRestore());
  const { s3, directory } = await start();
  const files = async () => (await readdir(join(directory, 's3'))).filter((file) => !file.startsWith('objects.db'));
  const sent = request(`${s3.url}/files/a`, { method: 'PUT', headers: { 'content-length': 100 } }).on(
    'error',
    () => {},
  );
  sent.write('half');
  await eventually(async () => expect(await files()).toHaveLength(1));
  sent.destroy();
  await eventually(async () => expect(await files()).toEqual([]));
  expect(complained).not.toHaveBeenCalled();
});

test('a damaged list of objects fails the start, and says what to do', async () => {
  const dataDirectory = await temporaryDirectory();
  await mkdir(join(dataDirectory, 's3'));
  await writeFile(join(dataDirectory, 's3', 'objects.db'), 'this is not a database'.repeat(1_000));
  await expect(start({ dataDirectory })).rejects.toThrow(
    `The objects in ${join(dataDirectory, 's3')} cannot be opened (file is not a database): ${freshStart(dataDirectory)}`,
  );
});

test('a page whose name leads to this machine can neither list nor read files', async () => {
  const { s3, put } = await start();
  await put('a.txt', 'secret');
  for (const path of ['/', '/files?list-type=2', '/files/a.txt']) {
    const [answer] = await once(get(`${s3.url}${path}`, { headers: { host: 'rebound.example.com' } }), 'response');
    expect([path, answer.resume().statusCode]).toEqual([path, 403]);
  }
});
