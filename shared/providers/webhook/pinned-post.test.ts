import { spawnSync } from 'node:child_process';
import diagnostics from 'node:diagnostics_channel';
import type { LookupAddress } from 'node:dns';
import { once } from 'node:events';
import http from 'node:http';
import { type AddressInfo, createServer as createTcpServer, type Server, type Socket } from 'node:net';
import tls from 'node:tls';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { freePort } from '../../../infra/local/free-port.ts';
import {
  hostsOfPrivateTargets,
  namesOfPrivateTargets,
  privateAddresses,
} from '../../webhooks/guard-vectors-fixture.ts';
import { isPublicAddress } from '../../webhooks/public-address.ts';
import { makeCertificate } from './certificate-fixture.ts';
import { startNameServer } from './name-server-fixture.ts';
import { pinnedPost } from './pinned-post.ts';
import { type Receiver, startReceiver } from './receiver-fixture.ts';

const anyAddress = () => true;
const refusal = 'The target is not a public address, so no request was sent.';
const headers = { 'X-Service-Event': 'message.sent', 'Content-Type': 'application/json' };
const body = '{"name":"Zoë"}';

const closers: (() => unknown)[] = [];
const opened = <T extends { close(): unknown }>(part: T): T => {
  closers.push(() => part.close());
  return part;
};
afterEach(async () => {
  for (const close of closers.splice(0)) await close();
});

const receiver = async (...wishes: Parameters<typeof startReceiver>): Promise<Receiver> =>
  opened(await startReceiver(...wishes));
/** A server that answers every request with these bytes. */
const rawServer = async (server: Server): Promise<number> => {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  opened({ close: () => server.close() });
  return (server.address() as AddressInfo).port;
};
const saying = (text: string, isEnd: boolean) => (socket: Socket) => {
  socket.on('error', () => undefined).write(text);
  if (isEnd) socket.end();
};
const post = (url: string, options: Partial<Parameters<typeof pinnedPost>[0]> = {}) =>
  pinnedPost({ isAllowed: anyAddress, ...options }).post({ url, headers, body });
const leadsTo =
  (...addresses: readonly string[]) =>
  async (): Promise<LookupAddress[]> =>
    addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 }));

describe('a delivery', () => {
  it('is one POST of the raw body, with its headers, to the whole URL', async () => {
    const { port, received } = await receiver((response) => response.writeHead(201).end('thanks'));
    const answer = await post(`http://127.0.0.1:${port}/hooks/a%20b?token=1&x=%2F`);
    expect(answer).toEqual({ statusCode: 201, responseBody: 'thanks', responseTime: expect.any(Number) });
    expect(Number.isInteger(answer.responseTime)).toBe(true);
    expect(received).toEqual([
      {
        method: 'POST',
        url: '/hooks/a%20b?token=1&x=%2F',
        headers: {
          host: `127.0.0.1:${port}`,
          'x-service-event': 'message.sent',
          'content-type': 'application/json',
          'content-length': String(Buffer.byteLength(body)),
          connection: 'close',
        },
        body,
      },
    ]);
  });

  it('sends the user info of the URL as a header, and not in the path', async () => {
    const { port, received } = await receiver();
    await post(`http://user:p%40ss@127.0.0.1:${port}/`);
    expect(received[0]?.headers.authorization).toBe(`Basic ${Buffer.from('user:p@ss').toString('base64')}`);
    expect(received[0]?.headers.host).toBe(`127.0.0.1:${port}`);
  });

  it('follows no redirect', async () => {
    const elsewhere = await receiver();
    for (const status of [301, 302, 303, 307, 308]) {
      const { port } = await receiver((response) =>
        response.writeHead(status, { location: `http://127.0.0.1:${elsewhere.port}/` }).end(),
      );
      expect((await post(`http://127.0.0.1:${port}/`)).statusCode).toBe(status);
    }
    expect(elsewhere.connections()).toBe(0);
  });

  it('keeps no connection for the next one', async () => {
    const target = await receiver();
    for (let n = 0; n < 3; n += 1) await post(`http://127.0.0.1:${target.port}/`);
    expect(target.connections()).toBe(3);
  });

  it('uses whichever address of a name answers', async () => {
    const { port, received } = await receiver();
    const answer = await post(`http://both.test:${port}/`, { resolve: leadsTo('::1', '127.0.0.1') });
    expect(answer.statusCode).toBe(200);
    expect(received[0]?.headers.host).toBe(`both.test:${port}`);
  });

  it('waits seconds for each of several addresses, because a far one may be the only one that can be reached', async () => {
    const asked = vi.spyOn(http, 'request');
    const { port } = await receiver();
    await post(`http://both.test:${port}/`, { resolve: leadsTo('127.0.0.1', '::1') });
    expect(asked.mock.calls).toMatchObject([[{ autoSelectFamilyAttemptTimeout: 2_000 }, expect.anything()]]);
    asked.mockRestore();
  });

  it('can go to localhost when any target is allowed', async () => {
    const { port } = await receiver();
    expect((await post(`http://localhost:${port}/`)).statusCode).toBe(200);
  });

  it('ignores the proxy settings of the environment', async () => {
    const [proxy, target] = [await receiver((response) => response.end('proxy')), await receiver()];
    const url = `http://127.0.0.1:${proxy.port}`;
    const program = `import { pinnedPost } from ${JSON.stringify(new URL('./pinned-post.ts', import.meta.url).href)};
const answer = await pinnedPost({ isAllowed: () => true }).post({ url: 'http://127.0.0.1:9/', headers: {}, body: '' });
process.stdout.write(answer.responseBody);`;
    const { stdout } = spawnSync(process.execPath, ['--input-type=module', '-e', program], {
      encoding: 'utf8',
      env: { ...process.env, NODE_USE_ENV_PROXY: '1', HTTP_PROXY: url, http_proxy: url, ALL_PROXY: url, NO_PROXY: '' },
    });
    expect(stdout).toBe('The connection was refused.');
    expect([proxy.connections(), target.connections()]).toEqual([0, 0]);
  });
});

describe('the recorded body of an answer', () => {
  it.each([
    ['a'.repeat(2_001), 'a'.repeat(2_000)],
    ['é'.repeat(2_001), 'é'.repeat(2_000)],
    ['😀'.repeat(2_001), '😀'.repeat(2_000)],
    ['', ''],
  ])('is its first 2,000 characters', async (sent, kept) => {
    const { port } = await receiver((response) => response.end(sent));
    expect((await post(`http://127.0.0.1:${port}/`)).responseBody).toBe(kept);
  });

  it('is truncated when an answer never ends', async () => {
    const { port } = await receiver((response) => {
      const more = () => response.write('x'.repeat(10_000), (error) => error || setImmediate(more));
      more();
    });
    const answer = await post(`http://127.0.0.1:${port}/`);
    expect(answer).toMatchObject({ statusCode: 200, responseBody: 'x'.repeat(2_000) });
  });

  it('is what came of it when the answer breaks off, whose status counts', async () => {
    const { port } = await receiver((response) => {
      response.writeHead(200, { 'content-length': '100' }).write('half');
      setTimeout(() => response.socket?.destroy(), 20);
    });
    expect(await post(`http://127.0.0.1:${port}/`)).toMatchObject({ statusCode: 200, responseBody: 'half' });
  });

  it('is text for any bytes', async () => {
    const { port } = await receiver((response) => response.end(Buffer.from([0x41, 0xff, 0xc3, 0x00, 0x42])));
    expect((await post(`http://127.0.0.1:${port}/`)).responseBody).toBe('A\ufffd\ufffd\u0000B');
  });
});

describe('a missing answer', () => {
  const timeoutMs = 200;
  const late = 'No complete response within 0.2 seconds.';

  it('is reported as a timeout: no header, half a header, half a body, with and without an end of its own', async () => {
    const silent = await receiver(() => undefined);
    const dripping = await receiver((response) => {
      const timer = setInterval(() => response.write('.'), 20);
      response.on('close', () => clearInterval(timer));
    });
    const stuck = await rawServer(createTcpServer(saying('HTTP/1.1 200 OK\r\nX-', false)));
    const endless = await rawServer(createTcpServer(saying('HTTP/1.1 200 OK\r\nConnection: close\r\n\r\nhalf', false)));
    const ports = [silent.port, dripping.port, stuck, endless];
    for (const port of ports) {
      const answer = await post(`http://127.0.0.1:${port}/`, { timeoutMs });
      expect(answer).toMatchObject({ statusCode: 0, responseBody: late });
      expect(answer.responseTime).toBeGreaterThanOrEqual(timeoutMs - 5);
    }
  });

  it('includes the DNS lookup in the timeout', async () => {
    const hanging = () => new Promise<never>(() => undefined);
    expect(await post('http://slow.test/', { timeoutMs, resolve: hanging })).toMatchObject({
      statusCode: 0,
      responseBody: late,
    });
    const { port } = await receiver(() => undefined);
    let isLate = false;
    const sluggish = async () => {
      await new Promise((resolve) => setTimeout(resolve, timeoutMs / 2));
      // Timers end in their order, however busy the machine is.
      setTimeout(() => {
        isLate = true;
      }, timeoutMs);
      return leadsTo('127.0.0.1')();
    };
    await post(`http://slow.test:${port}/`, { timeoutMs, resolve: sluggish });
    expect(isLate).toBe(false);
  });

  it('is reported with its reason, and without details of our network', async () => {
    const cut = await receiver((response) => response.socket?.destroy());
    const closed = await startReceiver();
    await closed.close();
    const garbage = await rawServer(createTcpServer(saying('not http\r\n\r\n', true)));
    const switching = 'HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\r\n';
    const upgraded = await rawServer(createTcpServer(saying(switching, false)));
    const cutOff = 'The connection was closed before the complete response arrived.';
    const cases: [url: string, reason: string][] = [
      [`http://127.0.0.1:${cut.port}/`, cutOff],
      [`http://127.0.0.1:${upgraded}/`, cutOff],
      [`http://127.0.0.1:${closed.port}/`, 'The connection was refused.'],
      [`http://127.0.0.1:${garbage}/`, 'The request failed (HPE_INVALID_CONSTANT).'],
      ['http://[', 'The request failed (ERR_INVALID_URL).'],
    ];
    for (const [url, reason] of cases) {
      expect([url, await post(url)]).toEqual([
        url,
        { statusCode: 0, responseBody: reason, responseTime: expect.any(Number) },
      ]);
    }
    expect((await post('http://empty.test/', { resolve: leadsTo() })).responseBody).toBe(
      'The host name has no address.',
    );
  });
});

describe('the guard', () => {
  let sockets = 0;
  const count = () => {
    sockets += 1;
  };
  beforeEach(() => {
    sockets = 0;
    diagnostics.subscribe('net.client.socket', count);
  });
  afterEach(() => {
    diagnostics.unsubscribe('net.client.socket', count);
  });

  const resolve = (name: string) => leadsTo(...(namesOfPrivateTargets[name] ?? []))();
  const guarded = (url: string, more: Partial<Parameters<typeof pinnedPost>[0]> = {}) =>
    post(url, { isAllowed: isPublicAddress, resolve, ...more });

  it.each(hostsOfPrivateTargets)('refuses http://%s without opening a socket', async (host) => {
    const target = await receiver();
    for (const url of [`http://${host}:${target.port}/`, `https://${host}/`]) {
      expect(await guarded(url)).toMatchObject({ statusCode: 0, responseBody: refusal });
    }
    expect([sockets, target.connections()]).toEqual([0, 0]);
  });

  it.each(privateAddresses.filter(Boolean))(
    'refuses a name that resolves to %j without opening a socket',
    async (address) => {
      for (const addresses of [[address], ['93.184.216.34', address], [address, '2606:4700:4700::1111']]) {
        const answer = await guarded('http://rebound.test:1/', { resolve: leadsTo(...addresses) });
        expect(answer).toMatchObject({ statusCode: 0, responseBody: refusal });
      }
      expect(sockets).toBe(0);
    },
  );

  it.each([
    ['http://1.1.1.1 &@2.2.2.2# @3.3.3.3/', '2.2.2.2'],
    ['http://8.8.8.8\\@127.0.0.1/', '8.8.8.8'],
    ['http://127.0.0.1@8.8.8.8/', '8.8.8.8'],
    ['http://8.8.8.8/?@127.0.0.1', '8.8.8.8'],
    ['http://localhost.example.com@9.9.9.9:80/', '9.9.9.9'],
  ])('judges %s by the host that a connection would go to', async (url, host) => {
    const judged: string[] = [];
    const isAllowed = (address: string) => {
      judged.push(address);
      return false;
    };
    expect((await post(url, { isAllowed })).responseBody).toBe(refusal);
    expect(judged).toEqual([host]);
    expect(sockets).toBe(0);
  });

  it('connects to the checked address, even if the name resolves to another a moment later', async () => {
    // 127.0.0.2 stands for a public address, so that tests stay on this machine.
    const isAllowed = (address: string) => address === '127.0.0.2';
    const port = await freePort();
    const meant = await receiver((response) => response.end('meant'), { host: '127.0.0.2', port });
    const victim = await receiver((response) => response.end('victim'), { port });
    const names = opened(await startNameServer([['127.0.0.2'], ['127.0.0.1']]));
    const answer = await post(`http://rebinding.test:${port}/`, { isAllowed, resolve: names.resolve });
    expect(answer.responseBody).toBe('meant');
    expect([names.asked(), victim.connections()]).toEqual([1, 0]);
    expect(meant.received[0]?.headers.host).toBe(`rebinding.test:${port}`);
  });

  it('refuses the same name at the next delivery, when it resolves to a private address', async () => {
    const victim = await receiver();
    const names = opened(await startNameServer([['127.0.0.1']]));
    expect(await guarded(`http://rebinding.test:${victim.port}/`, { resolve: names.resolve })).toMatchObject({
      statusCode: 0,
      responseBody: refusal,
    });
    expect([sockets, victim.connections()]).toEqual([0, 0]);
  });

  it('refuses a name that does not resolve', async () => {
    const names = opened(await startNameServer([[]]));
    const answer = await guarded('http://nothing.test/', { resolve: names.resolve });
    expect(answer).toMatchObject({ statusCode: 0, responseBody: 'The host name could not be resolved.' });
    expect(sockets).toBe(0);
  });
});

describe('over TLS', () => {
  const trusted = makeCertificate('hooks.test');
  const before = tls.getCACertificates('default');
  beforeEach(() => tls.setDefaultCACertificates([...before, trusted.cert]));
  afterEach(() => tls.setDefaultCACertificates(before));

  it('requests the URL’s name at the checked address, and verifies the certificate for it', async () => {
    const target = await receiver(undefined, { tls: trusted });
    const resolve = leadsTo('127.0.0.1');
    expect((await post(`https://hooks.test:${target.port}/`, { resolve })).statusCode).toBe(200);
    expect(target.received[0]?.headers.host).toBe(`hooks.test:${target.port}`);
    expect(await post(`https://other.test:${target.port}/`, { resolve })).toMatchObject({
      statusCode: 0,
      responseBody: 'The request failed (ERR_TLS_CERT_ALTNAME_INVALID).',
    });
    expect(target.received).toHaveLength(1);
  });

  it('refuses an untrusted certificate', async () => {
    const target = await receiver(undefined, { tls: makeCertificate('other.test') });
    const answer = await post(`https://other.test:${target.port}/`, { resolve: leadsTo('127.0.0.1') });
    expect(answer.statusCode).toBe(0);
    expect(target.received).toEqual([]);
  });

  it('resumes the session of a target, each time over a connection of its own, but no other’s', async () => {
    const target = await receiver(undefined, { tls: trusted });
    const { post: postAgain } = pinnedPost({ isAllowed: anyAddress, resolve: leadsTo('127.0.0.1') });
    const url = (name: string, { port }: Receiver) => `https://${name}:${port}/`;
    for (let n = 0; n < 3; n += 1)
      expect((await postAgain({ url: url('hooks.test', target), headers, body })).statusCode).toBe(200);
    expect([target.connections(), target.resumed()]).toEqual([3, 2]);
    expect((await postAgain({ url: url('other.test', target), headers, body })).statusCode).toBe(0);

    const { port } = target;
    await target.close();
    closers.pop();
    const impostor = await receiver(undefined, { port, tls: makeCertificate('hooks.test') });
    expect((await postAgain({ url: url('hooks.test', impostor), headers, body })).statusCode).toBe(0);
    expect([impostor.resumed(), impostor.received]).toEqual([0, []]);
  });

  it('sends the server name (SNI)', async () => {
    const asked: string[] = [];
    const server = tls.createServer({
      SNICallback: (name, give) => {
        asked.push(name);
        give(null, tls.createSecureContext(trusted));
      },
    });
    server.on('secureConnection', saying('HTTP/1.1 204 No Content\r\n\r\n', true));
    const port = await rawServer(server);
    expect((await post(`https://hooks.test:${port}/`, { resolve: leadsTo('127.0.0.1') })).statusCode).toBe(204);
    expect(asked).toEqual(['hooks.test']);
  });
});
