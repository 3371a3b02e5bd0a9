import type { ServerResponse } from 'node:http';
import { afterEach, describe, expect, it } from 'vitest';
import type { MetaSettings } from '../../messages/text-settings.ts';
import { pinnedRequest } from '../http/pinned-request.ts';
import { startReceiver } from '../webhook/receiver-fixture.ts';
import { metaWhatsapp } from './meta-whatsapp.ts';

type Answer = (response: ServerResponse) => unknown;

const text = { messageId: 'm-1', accountId: 'a-1', to: '+8801700000000', text: 'Hi "Zoë".', reportUrl: '' };
const settings = (port: number): MetaSettings => ({
  kind: 'meta',
  graphUrl: `http://127.0.0.1:${port}/v24.0`,
  phoneNumberId: '106540352242922',
  businessAccountId: '102290129340398',
  accessToken: 'token',
  appSecret: 'secret',
  verifyToken: 'verify',
});

const closers: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0)) await close();
});

const send = async (answer: Answer, timeoutMs = 5_000) => {
  const meta = await startReceiver(answer);
  closers.push(() => meta.close());
  const request = pinnedRequest({ isAllowed: () => true, timeoutMs });
  const outcome = await metaWhatsapp(settings(meta.port), { request }).send(text);
  return { outcome, received: meta.received };
};

const say =
  (status: number, body: unknown, headers: Readonly<Record<string, string>> = {}): Answer =>
  (response) =>
    response.writeHead(status, headers).end(typeof body === 'string' ? body : JSON.stringify(body));
const refuse = (status: number, code: number, details?: string): Answer =>
  say(status, {
    error: {
      message: `(#${code}) Title`,
      type: 'OAuthException',
      code,
      ...(details && { error_data: { messaging_product: 'whatsapp', details } }),
    },
  });
const breakOff =
  (status: number): Answer =>
  (response) => {
    response.writeHead(status, { 'content-length': 1_000 });
    response.write('{"messages', () => response.destroy());
  };

const outcomeAt = async (answer: Answer) => (await send(answer)).outcome;

describe('a WhatsApp text', () => {
  it('is accepted, and carries the data that its status notifications return', async () => {
    const { outcome, received } = await send(
      say(200, {
        messaging_product: 'whatsapp',
        contacts: [{ input: text.to, wa_id: '8801700000000' }],
        messages: [{ id: 'wamid.HBgL', message_status: 'accepted' }],
      }),
    );
    expect(outcome).toEqual({ kind: 'accepted', reference: 'wamid.HBgL' });
    expect(received).toMatchObject([
      { method: 'POST', url: '/v24.0/106540352242922/messages', headers: { authorization: 'Bearer token' } },
    ]);
    expect(JSON.parse(received[0]?.body ?? '')).toEqual({
      messaging_product: 'whatsapp',
      recipient_type: 'individual',
      to: text.to,
      type: 'text',
      text: { preview_url: false, body: text.text },
      biz_opaque_callback_data: 'a-1:m-1',
    });
  });

  it('is accepted by every 2xx, even if the body is truncated or unreadable', async () => {
    for (const answer of [breakOff(200), say(200, '<not json'), say(200, { messages: [] })]) {
      expect(await outcomeAt(answer)).toEqual({ kind: 'accepted', reference: undefined });
    }
  });

  it.each([
    [400, 131047, 'window_closed'],
    [400, 131026, 'undeliverable'],
    [400, 131049, 'held_back'],
    [400, 130472, 'recipient_in_experiment'],
    [400, 131048, 'sender_paused'],
    [403, 131031, 'sender_locked'],
    [400, 131042, 'sender_unpaid'],
    [403, 368, 'sender_blocked'],
    [400, 133010, 'sender_unregistered'],
    [401, 190, 'access_denied'],
    [403, 10, 'access_denied'],
    [401, 0, 'access_denied'],
    [403, 219, 'access_denied'],
    [400, 100, 'invalid_parameter'],
    [400, 131051, 'invalid_parameter'],
    [404, 132001, 'template_missing'],
    [400, 132015, 'template_paused'],
  ])('is refused by %i with Meta’s code %i as %s', async (status, code, ours) => {
    expect(await outcomeAt(refuse(status, code, 'Details.'))).toEqual({
      kind: 'refused',
      code: ours,
      reason: 'Details.',
      ...(/^(?:sender|access)_/.test(ours) && { concernsSetup: true }),
    });
  });

  it('is refused by error code, at any status', async () => {
    expect(await outcomeAt(refuse(500, 131026))).toMatchObject({ kind: 'refused', code: 'undeliverable' });
    expect(await outcomeAt(refuse(429, 131048))).toMatchObject({ kind: 'refused', code: 'sender_paused' });
  });

  it('is refused with an unknown code, and with Meta’s message when there are no details', async () => {
    expect(await outcomeAt(refuse(400, 139999))).toEqual({
      kind: 'refused',
      code: 'meta_139999',
      reason: '(#139999) Title',
    });
    expect(await outcomeAt(say(400, '<html>'))).toEqual({
      kind: 'refused',
      code: 'http_400',
      reason: 'Meta responded with status 400.',
    });
  });

  it.each([
    [500, 131000, 1],
    [500, 131016, 1],
    [500, 2, 1],
    [400, 1, 1],
    [503, 133004, 60],
  ])('may be taken later when Meta answers %i with code %i', async (status, code, waitSeconds) => {
    expect(await outcomeAt(refuse(status, code))).toEqual({ kind: 'unavailable', waitSeconds });
  });

  it.each([
    [400, 130429, 1],
    [429, 4, 1],
    [429, 80007, 1],
    [400, 131056, 6],
  ])(
    'waits while its sender is over its rate, which Meta says by %i with code %i',
    async (status, code, waitSeconds) => {
      expect(await outcomeAt(refuse(status, code))).toEqual({ kind: 'throttled', waitSeconds });
    },
  );

  it('may be accepted later, when the status says so and the code is unknown', async () => {
    expect(await outcomeAt(say(503, 'Service Unavailable'))).toEqual({ kind: 'unavailable' });
    expect(await outcomeAt(refuse(503, 139999))).toEqual({ kind: 'unavailable' });
    expect(await outcomeAt(breakOff(503))).toEqual({ kind: 'unavailable' });
    expect(await outcomeAt(say(429, '', { 'retry-after': '30' }))).toEqual({ kind: 'throttled', waitSeconds: 30 });
  });

  it('has an unknown outcome when Meta fails without a known code', async () => {
    expect(await outcomeAt(refuse(500, 139999))).toEqual({ kind: 'unknown' });
    expect(await outcomeAt(breakOff(500))).toEqual({ kind: 'unknown' });
  });

  it('has an unknown outcome when Meta disconnects or does not answer, or a proxy gave up waiting', async () => {
    expect(await outcomeAt((response) => response.socket?.destroy())).toEqual({ kind: 'unknown' });
    expect((await send(() => undefined, 200)).outcome).toEqual({ kind: 'unknown' });
    expect(await outcomeAt(say(504, ''))).toEqual({ kind: 'unknown' });
  });
});
