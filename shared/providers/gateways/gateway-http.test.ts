import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { createServer } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { makeCertificate } from '../webhook/certificate-fixture.ts';
import { startReceiver } from '../webhook/receiver-fixture.ts';
import { formCall, gatewayHttp, getCall, jsonCall } from './gateway-http.ts';

const closers: (() => unknown)[] = [];
const receiver = async (...wishes: Parameters<typeof startReceiver>) => {
  const one = await startReceiver(...wishes);
  closers.push(one.close);
  return one;
};
afterEach(async () => {
  for (const close of closers.splice(0)) await close();
});

const notReached = { kind: 'not_reached' };
const noAnswer = { kind: 'no_answer' };

describe('a call', () => {
  it('sends forms and JSON, and gives the status and the JSON that came, numbers as they were written', async () => {
    const { port, received } = await receiver((response) =>
      response.writeHead(418).end('{"amount":10.50,"id":12345678901234567890}'),
    );
    const [call, url] = [gatewayHttp()(), `http://127.0.0.1:${port}/pay?x=1`];
    const reply = await call(formCall(url, { name: 'Zoë & Co.', empty: '' }));
    expect(reply).toEqual({ kind: 'answered', status: 418, document: { amount: '10.50', id: '12345678901234567890' } });
    await call(jsonCall(url, { name: 'Zoë' }, { 'X-APP-Key': 'k' }));
    await call(getCall(url));
    expect(received.map(({ method, body }) => [method, body])).toEqual([
      ['POST', 'name=Zo%C3%AB+%26+Co.&empty='],
      ['POST', '{"name":"Zoë"}'],
      ['GET', ''],
    ]);
    expect(received[0]?.headers).toMatchObject({
      'content-type': 'application/x-www-form-urlencoded',
      'content-length': '28',
    });
    expect(received[1]?.headers).toMatchObject({ 'content-type': 'application/json', 'x-app-key': 'k' });
    expect(received.map((each) => each.url)).toEqual(['/pay?x=1', '/pay?x=1', '/pay?x=1']);
  });

  it('gives no document for what is no JSON, and follows no redirect', async () => {
    const elsewhere = await receiver();
    const { port } = await receiver((response) =>
      response.writeHead(302, { location: `http://127.0.0.1:${elsewhere.port}/` }).end('<html>'),
    );
    const reply = await gatewayHttp()()(getCall(`http://127.0.0.1:${port}/`));
    expect(reply).toEqual({ kind: 'answered', status: 302, document: undefined });
    expect(elsewhere.connections()).toBe(0);
  });

  it('reads no answer without end', async () => {
    const { port } = await receiver((response) => {
      const more = () => response.write(' '.repeat(10_000), (error) => error || setImmediate(more));
      more();
    });
    const reply = await gatewayHttp()()(getCall(`http://127.0.0.1:${port}/`));
    expect(reply).toEqual({ kind: 'answered', status: 200, document: undefined });
  });

  it('is not reached when the connection is refused, the name is unknown, or the certificate is untrusted', async () => {
    const call = gatewayHttp()();
    const tls = await receiver(undefined, { tls: makeCertificate('localhost') });
    for (const url of [
      'http://127.0.0.1:9/',
      'https://127.0.0.1:9/',
      'http://none.invalid/',
      `https://localhost:${tls.port}/`,
    ]) {
      expect([url, await call(getCall(url))]).toEqual([url, notReached]);
    }
    expect(tls.received).toEqual([]);
  });

  it('has no answer where it was read but not answered, or not to the end, in time', async () => {
    const call = gatewayHttp({ callMs: 300 })();
    const silent = await receiver(() => undefined);
    const cut = await receiver((response) => response.destroy());
    const half = await receiver((response) => {
      response.writeHead(200, { 'content-length': '100' });
      response.write('{"half":');
    });
    for (const { port } of [silent, cut, half]) {
      expect(await call(getCall(`http://127.0.0.1:${port}/`))).toEqual(noAnswer);
    }
  });

  it('has no answer where the connection ends at once', async () => {
    const server = createServer((socket) => socket.destroy()).listen(0, '127.0.0.1');
    await once(server, 'listening');
    closers.push(() => server.close());
    const { port } = server.address() as AddressInfo;
    expect(await gatewayHttp()()(getCall(`http://127.0.0.1:${port}/`))).toEqual(noAnswer);
  });
});

describe('an operation', () => {
  it('shares its time among its calls; the next operation has its own', async () => {
    const silent = await receiver(() => undefined);
    const quick = await receiver((response) => response.end('{}'));
    const http = gatewayHttp({ operationMs: 400, callMs: 10_000 });
    const call = http();
    expect(await call(getCall(`http://127.0.0.1:${silent.port}/`))).toEqual(noAnswer);
    expect(await call(getCall(`http://127.0.0.1:${quick.port}/`))).toEqual(notReached);
    expect(quick.connections()).toBe(0);
    const patient = gatewayHttp()();
    expect(await patient(getCall(`http://127.0.0.1:${quick.port}/`))).toMatchObject({ kind: 'answered' });
  });
});
