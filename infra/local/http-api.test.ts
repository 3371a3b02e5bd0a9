import { once } from 'node:events';
import { Agent } from 'node:http';
import { connect, createServer } from 'node:net';
import { networkInterfaces } from 'node:os';
import { describe, expect, test } from 'vitest';
import { freePort } from './free-port.ts';
import type { Functions } from './functions.ts';
import { startHttpApi } from './http-api.ts';
import { open, routeTo, start } from './http-api-fixture.ts';
import { StartFailure } from './start-failure.ts';

const megabyte = Buffer.alloc(1_048_576, 'x');
const limitBytes = 10 * megabyte.length;

/** Status, body and headers, except those of the connection and the date. */
const seen = async (response: Response) => ({
  status: response.status,
  type: response.headers.get('content-type'),
  text: await response.text(),
  isNamed: response.headers.has('apigw-requestid'),
  others: [...response.headers.keys()].filter((name) => name.startsWith('x-')),
});

/** API Gateway's own response, to the letter. */
const platformAnswer = (status: number, message: string) => ({
  status,
  type: 'application/json',
  text: `{"message":"${message}"}`,
  isNamed: true,
  others: [],
});

const hasIpv6 = Object.values(networkInterfaces()).some((each) => each?.some(({ address }) => address === '::1'));
const loopbacks = hasIpv6 ? ['127.0.0.1', '::1'] : ['127.0.0.1'];

const never: Functions['invoke'] = () => new Promise(() => undefined);

describe('the HTTP API refuses', () => {
  test('404 a request that matches no route', async () => {
    const { url } = await start({ routes: [routeTo('GET /messages')] });
    const response = await fetch(`${url}/messages`, { method: 'POST' });
    expect(await seen(response)).toEqual(platformAnswer(404, 'Not Found'));
  });

  test("503 with API Gateway's own body when the function takes too long", async () => {
    const { url } = await start({ invoke: never, integrationTimeoutMs: 50 });
    expect(await seen(await fetch(url))).toEqual(platformAnswer(503, 'Service Unavailable'));
  });

  test("503 with API Gateway's own body when all instances are busy for too long", async () => {
    const unbegun = { ok: false, reason: 'noInstance', errorType: 'NoInstance', errorMessage: '' } as const;
    const { url } = await start({ invoke: async () => unbegun });
    expect(await seen(await fetch(url))).toEqual(platformAnswer(503, 'Service Unavailable'));
  });

  test.each(['/throw', '/exit', '/never'])(
    "500 with API Gateway's own body when the function fails, while concurrent requests succeed: %s",
    async (path) => {
      const { url } = await start();
      const [failed, ...others] = await Promise.all(
        [path, '/event', '/slowly', '/event'].map((each) => fetch(url + each)),
      );
      expect(failed && (await seen(failed))).toEqual(platformAnswer(500, 'Internal Server Error'));
      expect(others.map(({ status }) => status)).toEqual([200, 200, 200]);
    },
  );
});

describe('a large body', () => {
  test('of 10 MB is accepted', async () => {
    const { url } = await start({
      invoke: async (_, event) => ({ ok: true, payload: JSON.stringify(event).length }),
    });
    const headers = { 'Content-Type': 'text/plain' };
    const response = await fetch(url, { method: 'POST', headers, body: Buffer.alloc(limitBytes, 'x') });
    expect(response.status).toBe(200);
    expect(await response.json()).toBeGreaterThan(limitBytes);
  });

  test('429 a request beyond the limit of its route, and passes those to other routes', async () => {
    const limited = routeTo('GET /limited', { throttle: { rate: 0.001, burst: 1 } });
    const { url } = await start({ routes: [limited, routeTo('GET /other')] });
    expect((await fetch(`${url}/limited`)).status).toBe(200);
    expect(await seen(await fetch(`${url}/limited`))).toEqual(platformAnswer(429, 'Too Many Requests'));
    expect((await fetch(`${url}/other`)).status).toBe(200);
  });

  test("413 with API Gateway's own body when its length is one byte over 10 MB", async () => {
    const { url } = await start({ invoke: never });
    const response = await fetch(url, { method: 'POST', body: Buffer.alloc(limitBytes + 1, 'x') });
    expect(await seen(response)).toEqual(platformAnswer(413, 'Request Entity Too Large'));
  });

  test('413 while a client that sent no length is still sending', async () => {
    const { url } = await start({ invoke: never });
    const { sent, answer } = open(url, { method: 'POST' });
    sent.on('error', () => undefined);
    const send = (): void => {
      if (!sent.destroyed) sent.write(megabyte, () => setImmediate(send));
    };
    send();
    const { response, body } = await answer;
    expect(response.statusCode).toBe(413);
    expect(body).toBe('{"message":"Request Entity Too Large"}');
    sent.destroy();
  });

  test('is not requested when the client waits for 100 Continue', async () => {
    const { url } = await start();
    const headers = { Expect: '100-continue', 'Content-Type': 'text/plain' };

    const small = open(`${url}/event`, { method: 'POST', headers: { ...headers, 'Content-Length': 5 } });
    small.sent.on('continue', () => small.sent.end('hello'));
    small.sent.flushHeaders();
    expect(JSON.parse((await small.answer).body)).toMatchObject({ body: 'hello' });

    const large = open(url, { method: 'POST', headers: { ...headers, 'Content-Length': limitBytes + 1 } });
    large.sent.on('error', () => undefined);
    large.sent.on('continue', () => expect.unreachable('asked for the body'));
    large.sent.flushHeaders();
    expect((await large.answer).response.statusCode).toBe(413);
    large.sent.destroy();
  });
});

describe('connections of the HTTP API', () => {
  test.each([...loopbacks, 'localhost'])('are accepted at %s', async (host) => {
    const { url } = await start();
    const at = host === '::1' ? '[::1]' : host;
    expect((await fetch(url.replace('localhost', at))).status).toBe(200);
  });

  test('are kept for the next request', async () => {
    const { url } = await start();
    const agent = new Agent({ keepAlive: true });
    const first = open(url, { agent });
    first.sent.end();
    await first.answer;
    const second = open(url, { agent });
    second.sent.end();
    await second.answer;
    expect(second.sent.reusedSocket).toBe(true);
    agent.destroy();
  });

  test.each([
    ['in the middle of its body', 'POST /event HTTP/1.1\r\nHost: x\r\nContent-Length: 9\r\n\r\nhalf'],
    ['before its answer', 'GET /held HTTP/1.1\r\nHost: x\r\n\r\n'],
  ])('may break off: a client that leaves %s harms no other', async (_, sent) => {
    const answered = Promise.withResolvers<void>();
    const invoke: Functions['invoke'] = async (_, event) => {
      if (JSON.stringify(event).includes('/held')) await answered.promise;
      return { ok: true, payload: 'done' };
    };
    const { url } = await start({ invoke });
    const socket = connect(Number(new URL(url).port), '127.0.0.1');
    socket.write(sent);
    // A response to a later request shows that the earlier one has arrived.
    expect((await fetch(url)).status).toBe(200);
    socket.resetAndDestroy();
    expect((await fetch(url)).status).toBe(200);
    answered.resolve();
    expect((await fetch(url)).status).toBe(200);
  });

  test('that break off in the middle of a body are reported as no answer', async () => {
    const answered: [string, number][] = [];
    const { url } = await start({ onAnswered: ({ path, status }) => answered.push([path, status]) });
    const socket = connect(Number(new URL(url).port), '127.0.0.1');
    socket.write('POST /half HTTP/1.1\r\nHost: x\r\nContent-Length: 9\r\n\r\nhalf');
    expect((await fetch(`${url}/first`)).status).toBe(200);
    socket.resetAndDestroy();
    expect((await fetch(`${url}/second`)).status).toBe(200);
    expect(answered).toEqual([
      ['/first', 200],
      ['/second', 200],
    ]);
  });

  test('end when the HTTP API closes, idle or not', async () => {
    const { url, close } = await start({ invoke: never });
    const agent = new Agent({ keepAlive: true });
    const underWay = open(url, { agent });
    underWay.sent.end();
    const idle = connect(Number(new URL(url).port), '127.0.0.1');
    await Promise.all([once(idle, 'connect'), once(underWay.sent, 'finish')]);
    await Promise.all([close(), once(idle.resume(), 'close'), expect(underWay.answer).rejects.toThrow()]);
    await expect(fetch(url)).rejects.toThrow();
  });
});

test.each(loopbacks)('a port that is taken on %s fails the start with a line that names another port', async (host) => {
  const port = await freePort();
  const blocker = createServer().listen(port, host);
  await once(blocker, 'listening');
  const options = { port, routes: [], invoke: never };
  await expect(startHttpApi(options)).rejects.toThrow(
    new StartFailure(
      `Port ${port} is in use. Stop the process that uses it, or choose another port: npm start -- --port ${port + 1}`,
    ),
  );

  blocker.close();
  await once(blocker, 'close');
  expect((await start({ port })).url).toBe(`http://localhost:${port}`);
});

test.runIf(hasIpv6)('any free port is one that is free on both loopback addresses', async () => {
  const blockers = Array.from({ length: 2_000 }, () => createServer().listen(0, '::1'));
  await Promise.all(blockers.map((blocker) => once(blocker, 'listening')));
  // Without a second choice, one of these starts would almost surely fail.
  for (let n = 0; n < 100; n += 1) {
    const httpApi = await startHttpApi({ port: 0, routes: [], invoke: never });
    await httpApi.close();
  }
  await Promise.all(blockers.map((blocker) => once(blocker.close(), 'close')));
});

test('new routes apply from the next request on', async () => {
  const httpApi = await start({ routes: [] });
  expect((await fetch(httpApi.url)).status).toBe(404);
  httpApi.setRoutes([routeTo('GET /')]);
  expect((await fetch(httpApi.url)).status).toBe(200);
});
