import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import { createServer } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import type { HttpGatewaySettings } from '../../accounts/provider-settings.ts';
import { isPublicAddress } from '../../webhooks/public-address.ts';
import { pinnedRequest } from '../http/pinned-request.ts';
import { startNameServer } from '../webhook/name-server-fixture.ts';
import { startReceiver } from '../webhook/receiver-fixture.ts';
import { httpSms } from './http-sms.ts';
import type { Text } from './text-provider.ts';

type Answer = (response: ServerResponse) => unknown;

const text: Text = {
  messageId: 'm-1',
  accountId: 'a-1',
  to: '+8801700000000',
  text: 'Your code is "1234".',
  reportUrl: 'https://api.example.com/callbacks/sms-reports/t',
};

const closers: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0)) await close();
});

const gatewayThat = async (answer: Answer) => {
  const gateway = await startReceiver(answer);
  closers.push(() => gateway.close());
  return gateway;
};

const settingsFor = (port: number, changes: Partial<HttpGatewaySettings> = {}): HttpGatewaySettings => ({
  kind: 'http',
  url: `http://127.0.0.1:${port}/send`,
  method: 'POST',
  headers: { Authorization: 'Bearer secret' },
  body: '{"to":"{{to}}","from":"{{from}}","text":"{{text}}","ref":"{{messageId}}","report":"{{reportUrl}}"}',
  takesReference: false,
  answer: {
    accepted: { at: '/status', isOneOf: ['ok', '0'] },
    reference: '/messages/0/id',
    code: '/error/code',
    reason: '/error/text',
  },
  ...changes,
});

const anywhere = (timeoutMs = 5_000) => pinnedRequest({ isAllowed: () => true, timeoutMs });

const send = (settings: HttpGatewaySettings, request = anywhere()) =>
  httpSms(settings, { sender: 'Shop', request }).send(text);

/** Sends a text by a gateway with these answers. Returns the outcome. */
const sendTo = async (answer: Answer, changes: Partial<HttpGatewaySettings> = {}, timeoutMs?: number) => {
  const gateway = await gatewayThat(answer);
  const outcome = await send(settingsFor(gateway.port, changes), anywhere(timeoutMs));
  expect(gateway.received).toHaveLength(1);
  return outcome;
};

const say =
  (status: number, body: unknown, headers: Readonly<Record<string, string>> = {}): Answer =>
  (response) =>
    response.writeHead(status, headers).end(typeof body === 'string' ? body : JSON.stringify(body));
const hangUp: Answer = (response) => response.socket?.destroy();
const silence: Answer = () => undefined;
/** Begins an answer that ends with its connection, and stops. */
const stopAfterHead: Answer = (response) => response.socket?.write('HTTP/1.1 200 OK\r\nConnection: close\r\n\r\n');
/** Answers with this status, and a body shorter than its Content-Length. */
const breakOff =
  (status: number): Answer =>
  (response) => {
    response.writeHead(status, { 'content-length': 1_000 });
    response.write('{"status":"ok"', () => response.destroy());
  };

describe('the request', () => {
  it('is built from the settings with the values filled in', async () => {
    const gateway = await gatewayThat(say(200, { status: 'ok' }));
    await send(settingsFor(gateway.port));
    expect(gateway.received).toMatchObject([
      { method: 'POST', url: '/send', headers: { authorization: 'Bearer secret', 'content-type': 'application/json' } },
    ]);
    expect(JSON.parse(gateway.received[0]?.body ?? '')).toEqual({
      to: text.to,
      from: 'Shop',
      text: text.text,
      ref: text.messageId,
      report: text.reportUrl,
    });
  });

  it.each([
    ['Your code is 1234.', undefined, 'gsm7'],
    ['আপনার কোড ১২৩৪', undefined, 'ucs2'],
    ['Your code is 1234.', { gsm7: '0', ucs2: '8' }, '0'],
    ['আপনার কোড ১২৩৪', { gsm7: '0', ucs2: '8' }, '8'],
  ])(
    'says how "%s" is encoded, in the words of the gateway, and the number without its plus',
    async (said, encodings, word) => {
      const gateway = await gatewayThat(say(200, { status: 'ok' }));
      const body = 'to={{toDigits}}&type={{encoding}}';
      const settings = settingsFor(gateway.port, { body, ...(encodings && { encodings }) });
      await httpSms(settings, { sender: 'Shop', request: anywhere() }).send({ ...text, text: said });
      expect(gateway.received[0]?.body).toBe(`to=8801700000000&type=${word}`);
    },
  );

  it('may be a GET with all values in the URL, including user and password', async () => {
    const gateway = await gatewayThat(say(200, { status: 'ok' }));
    const url = `http://user:pass@127.0.0.1:${gateway.port}/send?to={{to}}&text={{text}}`;
    await send(settingsFor(gateway.port, { method: 'GET', url, headers: {}, body: '' }));
    const [received] = gateway.received;
    expect(received).toMatchObject({ method: 'GET', body: '' });
    expect(received?.url).toBe('/send?to=%2B8801700000000&text=Your%20code%20is%20%221234%22.');
    expect(received?.headers.authorization).toBe(`Basic ${Buffer.from('user:pass').toString('base64')}`);
    expect(received?.headers['content-type']).toBeUndefined();
  });
});

describe('a text is accepted', () => {
  it('with the reference of its reports, to the last digit of a long number', async () => {
    const body = '{"status":0,"messages":[{"id":12345678901234567890}]}';
    expect(await sendTo(say(202, body))).toEqual({ kind: 'accepted', reference: '12345678901234567890' });
    expect(await sendTo(say(200, { status: ' OK ' }))).toEqual({ kind: 'accepted', reference: undefined });
  });

  it('by an answer that begins with a byte order mark', async () => {
    const body = '\uFEFF{"status":"ok","messages":[{"id":"x"}]}';
    expect(await sendTo(say(200, body))).toEqual({ kind: 'accepted', reference: 'x' });
  });

  it('by an answer that is plain text', async () => {
    const answer = { accepted: { at: '', isOneOf: ['ok'] }, reference: '' };
    expect(await sendTo(say(200, 'OK\r\n'), { answer })).toEqual({ kind: 'accepted', reference: 'OK' });
  });

  it('by every 2xx when the settings do not define acceptance, even if the body is truncated', async () => {
    const answer = { reference: '/id' };
    expect(await sendTo(say(200, { id: 'x' }), { answer })).toEqual({ kind: 'accepted', reference: 'x' });
    expect(await sendTo(say(204, ''), { answer })).toEqual({ kind: 'accepted', reference: undefined });
    expect(await sendTo(breakOff(200), { answer })).toEqual({ kind: 'accepted', reference: undefined });
  });
});

describe('a text is refused', () => {
  it('by a 2xx without the configured acceptance, with its code and reason', async () => {
    const error = { code: 1004, text: 'Invalid number' };
    expect(await sendTo(say(200, { status: 'error', error }))).toEqual({
      kind: 'refused',
      code: '1004',
      reason: 'Invalid number',
    });
    expect(await sendTo(say(200, '<html>Down for maintenance</html>'))).toEqual({
      kind: 'refused',
      code: 'http_200',
      reason: 'The gateway responded with status 200 and did not accept the message.',
    });
  });

  it.each([400, 401, 403, 404, 409, 422])('by %i', async (status) => {
    const error = { code: 'blocked', text: 'x'.repeat(2_000) };
    expect(await sendTo(say(status, { error }))).toEqual({
      kind: 'refused',
      code: 'blocked',
      reason: 'x'.repeat(500),
      ...([401, 403].includes(status) && { concernsSetup: true }),
    });
    expect(await sendTo(breakOff(status))).toMatchObject({ kind: 'refused', code: `http_${status}` });
  });

  it('by a redirect, which is not followed', async () => {
    const elsewhere = await gatewayThat(say(200, { status: 'ok' }));
    const location = `http://127.0.0.1:${elsewhere.port}/`;
    for (const status of [301, 302, 303, 307, 308]) {
      expect(await sendTo(say(status, '', { location }))).toMatchObject({
        kind: 'refused',
        code: `http_${status}`,
        concernsSetup: true,
      });
    }
    expect(elsewhere.received).toEqual([]);
  });

  it('when the gateway has a private address and only public ones are allowed', async () => {
    const gateway = await gatewayThat(say(200, { status: 'ok' }));
    const request = pinnedRequest({ isAllowed: isPublicAddress });
    expect(await send(settingsFor(gateway.port), request)).toEqual({
      kind: 'refused',
      code: 'provider_misconfigured',
      reason: 'The target is not a public address, so no request was sent.',
      concernsSetup: true,
    });
    expect(gateway.connections()).toBe(0);
  });

  it('when the URL is invalid', async () => {
    expect(await send(settingsFor(0, { url: 'http://host:99999/' }))).toMatchObject({
      kind: 'refused',
      code: 'provider_misconfigured',
    });
  });
});

describe('a gateway is unavailable', () => {
  it.each([408, 425, 503])('when it answers %i', async (status) => {
    expect(await sendTo(say(status, { status: 'ok' }))).toEqual({ kind: 'unavailable' });
    expect(await sendTo(breakOff(status))).toEqual({ kind: 'unavailable' });
  });

  it('for texts over its rate, when it answers 429', async () => {
    expect(await sendTo(say(429, { status: 'ok' }))).toEqual({ kind: 'throttled' });
    expect(await sendTo(say(429, '', { 'retry-after': '120' }))).toEqual({ kind: 'throttled', waitSeconds: 120 });
  });

  it('for the time of its Retry-After', async () => {
    expect(await sendTo(say(503, '', { 'retry-after': '120' }))).toEqual({ kind: 'unavailable', waitSeconds: 120 });
    const inAMinute = new Date(Date.now() + 60_000).toUTCString();
    const outcome = await sendTo(say(503, '', { 'retry-after': inAMinute }));
    expect(outcome).toMatchObject({ kind: 'unavailable', waitSeconds: expect.closeTo(60, -1) });
    const past = await sendTo(say(503, '', { 'retry-after': 'Wed, 21 Oct 2015 07:28:00 GMT' }));
    expect(past).toEqual({ kind: 'unavailable', waitSeconds: 0 });
    expect(await sendTo(say(503, '', { 'retry-after': 'soon' }))).toEqual({ kind: 'unavailable' });
  });

  it('when it refuses connections', async () => {
    const gateway = await startReceiver();
    await gateway.close();
    expect(await send(settingsFor(gateway.port))).toEqual({ kind: 'unavailable' });
  });

  it('when its name does not resolve', async () => {
    const names = await startNameServer([[]]);
    closers.push(() => names.close());
    const request = pinnedRequest({ isAllowed: () => true, resolve: names.resolve });
    expect(await send(settingsFor(0, { url: 'http://nothing.test/' }), request)).toEqual({ kind: 'unavailable' });
  });

  it('when it does not use TLS at an https URL', async () => {
    const gateway = await gatewayThat(say(200, { status: 'ok' }));
    const url = `https://127.0.0.1:${gateway.port}/`;
    expect(await send(settingsFor(gateway.port, { url }))).toEqual({ kind: 'unavailable' });
    expect(gateway.received).toEqual([]);
  });
});

describe('the outcome of a text is unknown', () => {
  it('when the gateway disconnects, does not answer in time, or stops within its answer', async () => {
    expect(await sendTo(hangUp)).toEqual({ kind: 'unknown' });
    expect(await sendTo(silence, {}, 200)).toEqual({ kind: 'unknown' });
    expect(await sendTo(breakOff(200))).toEqual({ kind: 'unknown' });
    expect(await sendTo(stopAfterHead, {}, 200)).toEqual({ kind: 'unknown' });
  });

  it('when it failed, perhaps after it had accepted the text', async () => {
    expect(await sendTo(say(500, { status: 'error' }))).toEqual({ kind: 'unknown' });
    expect(await sendTo(breakOff(500))).toEqual({ kind: 'unknown' });
  });

  it('when a proxy gave up waiting', async () => {
    for (const status of [502, 504, 520, 524])
      expect(await sendTo(say(status, 'Bad Gateway'))).toEqual({ kind: 'unknown' });
  });

  it('when the answer is longer than the limit', async () => {
    const body = { filler: 'x'.repeat(100_000), status: 'ok' };
    expect(await sendTo(say(200, body))).toEqual({ kind: 'unknown' });
  });

  it('when the answer is not HTTP', async () => {
    const server = createServer((socket) => socket.on('error', () => undefined).end('SSH-2.0-nonsense\r\n'));
    await once(server.listen(0, '127.0.0.1'), 'listening');
    closers.push(() => server.close());
    const address = server.address();
    const port = typeof address === 'object' ? (address?.port ?? 0) : 0;
    expect(await send(settingsFor(port))).toEqual({ kind: 'unknown' });
  });
});
