import { once } from 'node:events';
import * as http from 'node:http';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { brotliCompressSync } from 'node:zlib';
import { expect, onTestFinished, test } from 'vitest';
import { startS3 } from '../../infra/local/emulators/s3.ts';
import { closedAfterTest, temporaryDirectory } from '../../infra/local/emulators-fixture.ts';
import { localEndpoint } from '../../infra/local/local-client.ts';
import { withinTime } from '../kit/time-limit.ts';
import { openFileStore } from './file-store.ts';

const megabytes = 1024 * 1024;

const start = async () => {
  const clock = { nowMs: Date.now() };
  const s3 = closedAfterTest(
    await startS3({
      dataDirectory: await temporaryDirectory(),
      buckets: [{ name: 'files', expirations: [] }],
      clock: () => clock.nowMs,
    }),
  );
  return { clock, files: openFileStore(localEndpoint(`${s3.url}/files`)) };
};

test('a file is read whole, in parts, or not at all', async () => {
  const { files } = await start();
  await files.put('A/one/file', Buffer.from('0123456789'));
  expect(await files.bytesOf('A/one/file')).toBe(10);
  expect(String(await files.read('A/one/file'))).toBe('0123456789');
  expect(String(await files.read('A/one/file', { from: 3, most: 4 }))).toBe('3456');
  expect(String(await files.read('A/one/file', { from: 8, most: 4 }))).toBe('89');
  expect(String(await files.read('A/one/file', { from: 10, most: 4 }))).toBe('');
  const tag = (await files.find('A/one/file'))?.tag;
  expect(String(await files.read('A/one/file', { from: 3, most: 4, tag }))).toBe('3456');
  await files.put('A/one/file', Buffer.from('9876543210'));
  expect(String(await files.read('A/one/file', { from: 3, most: 4, tag }))).toBe('');
  await files.remove('A/one/file');
  expect([await files.bytesOf('A/one/file'), await files.read('A/one/file')]).toEqual([undefined, undefined]);
});

test.each([
  [undefined, false],
  ['identity', false],
  ['gzip', true],
])('a file is known with its Content-Encoding %s', async (encoding, isCompressed) => {
  const server = http.createServer((_, answer) => {
    answer
      .writeHead(200, { 'content-length': 5, etag: '"a"', ...(encoding && { 'content-encoding': encoding }) })
      .end();
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  onTestFinished(() => void server.close());
  const { port } = server.address() as AddressInfo;
  const files = openFileStore(localEndpoint(`http://127.0.0.1:${port}/files`));
  expect(await files.find('A/one/file')).toEqual({ bytes: 5, tag: '"a"', isCompressed });
});

test('a compressed file is not expanded: it has no bytes, also where only its Content-Encoding has changed', async () => {
  const { files } = await start();
  const bomb = brotliCompressSync(Buffer.alloc(megabytes));
  const upload = async (headers: Readonly<Record<string, string>>) =>
    fetch(await files.uploadUrl('A/one/bomb', { seconds: 60 }), { method: 'PUT', body: new Uint8Array(bomb), headers });
  await upload({});
  const tag = (await files.find('A/one/bomb'))?.tag;
  expect((await files.read('A/one/bomb', { from: 0, most: 100, tag }))?.length).toBe(bomb.length);
  await upload({ 'content-encoding': 'br' });
  expect(await files.find('A/one/bomb')).toEqual({ bytes: bomb.length, tag, isCompressed: true });
  expect(await files.read('A/one/bomb')).toHaveLength(0);
  expect(await files.read('A/one/bomb', { from: 0, most: bomb.length, tag })).toHaveLength(0);
});

test('a URL takes a file of the agreed size, until it expires, and nothing else', async () => {
  const { clock, files } = await start();
  const url = await files.uploadUrl('A/one/upload', { seconds: 60, bytes: 5 });
  const put = async (body: string, to = url) => (await fetch(to, { method: 'PUT', body })).status;
  expect(await put('123456')).toBe(403);
  expect(await put('12345', url.replace('one', 'two'))).toBe(403);
  expect((await fetch(url)).status).toBe(403);
  expect(await put('12345')).toBe(200);
  expect(String(await files.read('A/one/upload'))).toBe('12345');
  clock.nowMs = Date.now() + 60_001;
  expect(await put('12345')).toBe(403);
});

test('a URL gives a file under its name', async () => {
  const { files } = await start();
  await files.put('report', Buffer.from('a,b\r\n'));
  const url = await files.downloadUrl('report', { seconds: 60, filename: 'refused rows.csv' });
  const answer = await fetch(url);
  expect(answer.headers.get('content-disposition')).toBe('attachment; filename="refused rows.csv"');
  expect(answer.headers.get('content-type')).toBe('text/csv; charset=utf-8');
  expect(await answer.text()).toBe('a,b\r\n');
});

test('a file that is written in parts exists once it is completed, and can be completed again', async () => {
  const { files } = await start();
  const upload = await files.beginParts('large');
  const parts = [Buffer.alloc(5 * megabytes, 'a'), Buffer.from('the end')];
  const tags = [];
  for (const [n, part] of parts.entries()) tags.push(await files.putPart('large', upload, n + 1, part));
  expect(await files.bytesOf('large')).toBeUndefined();
  for (let time = 0; time < 2; time += 1) await files.completeParts('large', upload, tags);
  expect((await files.read('large'))?.equals(Buffer.concat(parts))).toBe(true);
  await expect(files.completeParts('other', 'no such upload', tags)).rejects.toThrow('S3 refused a call');
});

/** A server whose first answers go wrong. */
const startBroken = async (...breaks: readonly ((socket: Socket, body: string) => unknown)[]) => {
  let asked = 0;
  const server = createServer((socket) => {
    socket.on('data', (chunk) => {
      if (!String(chunk).startsWith('GET ')) return;
      const answer = breaks[asked] ?? ((to: Socket, body: string) => to.write(body));
      asked += 1;
      answer(socket, 'HTTP/1.1 200 OK\r\ncontent-length: 5\r\n\r\nwhole');
    });
    socket.on('error', () => socket.destroy());
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  onTestFinished(() => void server.close());
  const { port } = server.address() as AddressInfo;
  return { files: openFileStore(localEndpoint(`http://127.0.0.1:${port}/files`)), asked: () => asked };
};

test.each([
  ['a kept connection that is closed', (socket: Socket) => socket.end()],
  ['one that is reset', (socket: Socket) => socket.resetAndDestroy()],
  ['an answer that breaks off', (socket: Socket, answer: string) => socket.end(answer.slice(0, -2))],
])('a file is asked for again after %s', async (_, broken) => {
  const { files, asked } = await startBroken((socket, answer) => socket.write(answer), broken);
  for (let n = 0; n < 2; n += 1) expect(String(await files.read('file'))).toBe('whole');
  expect(asked()).toBe(3);
});

test('no file is asked for when the time of the request is over', async () => {
  const { files, asked } = await startBroken();
  await expect(withinTime(Date.now() - 1, () => files.read('file'))).rejects.toThrow('the time of the request is over');
  expect(asked()).toBe(0);
});
