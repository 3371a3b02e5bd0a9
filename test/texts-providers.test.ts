import { afterEach, beforeAll, describe, expect, it } from 'vitest';
import { type Receiver, startReceiver } from '../shared/providers/webhook/receiver-fixture.ts';
import { type SharedStack, shareTestStack } from './test-stack.ts';
import { phone, signedBy, type TextCalls, textCalls, textTo } from './text-calls.ts';

// Accounts' own providers, and their callbacks: reports, templates and inbound messages.

let stack: SharedStack;
let calls: TextCalls;
beforeAll(async () => {
  stack = await shareTestStack();
  calls = textCalls(stack);
});

const receivers: Receiver[] = [];
afterEach(async () => {
  await Promise.all(receivers.splice(0).map((one) => one.close()));
});

const someText = expect.stringMatching(/\S/);

describe('an account’s own provider', () => {
  it('gets sms in the configured format, and its reports are read in theirs', async () => {
    const gateway = await startReceiver((response, { body }) => {
      const answer = body.includes('0001') ? { state: 'ERR', why: 'barred' } : { state: 'OK', ref: 'g-1' };
      response.end(JSON.stringify({ result: answer }));
    });
    receivers.push(gateway);
    const provider = {
      kind: 'http',
      url: `http://localhost:${gateway.port}/send?to={{to}}`,
      headers: { Authorization: 'Token hidden', 'Content-Type': 'application/json' },
      body: '{"body":"{{text}}","sender":"{{from}}","id":"{{messageId}}","report":"{{reportUrl}}"}',
      answer: { accepted: { at: '/result/state', isOneOf: ['OK'] }, reference: '/result/ref', code: '/result/why' },
      report: { delivered: { at: '/state', isOneOf: ['DONE'] }, failed: { at: '/state', isOneOf: ['LOST'] } },
    };
    const account = await calls.newAccount({ settings: { sms: { sender: 'Shop', provider } } });
    expect((await stack.admin('GET', account.path)).text).not.toContain('hidden');
    for (const phone of ['+8801766660000', '+8801766660001']) await account.contact(phone);
    const text = 'Hi "Zoë"\n😀';
    const id = await account.accepted(textTo('sms', '+8801766660000', text));
    expect(await account.become(id, 'sent')).toMatchObject({ sentAt: someText, deliveredAt: null });
    const [got] = gateway.received;
    expect(got).toMatchObject({
      method: 'POST',
      url: '/send?to=%2B8801766660000',
      headers: { authorization: 'Token hidden' },
    });
    const { report, ...fields } = JSON.parse(got?.body ?? '');
    expect(fields).toEqual({ body: text, sender: 'Shop', id });
    const callReport = async (url: string, state: string) => (await fetch(`${url}?state=${state}`)).status;
    expect(await callReport(report, 'WAIT')).toBe(200);
    expect(await callReport(report.slice(0, -1), 'DONE')).toBe(404);
    expect((await account.read(`/messages/${id}`)).status).toBe('sent');
    expect((await calls.callback(report, {}, '{"state":"done"}')).status).toBe(200);
    const delivered = await account.read(`/messages/${id}`);
    expect(delivered.status).toBe('delivered');
    for (const state of ['LOST', 'DONE']) expect(await callReport(report, state)).toBe(200);
    expect(await account.read(`/messages/${id}`)).toEqual(delivered);

    const barred = await account.accepted(textTo('sms', '+8801766660001', '0001'));
    expect(await account.become(barred, 'failed')).toMatchObject({ failureCode: 'barred', failureReason: someText });
    expect(gateway.received).toHaveLength(2);
  });

  it('of WhatsApp verifies its webhook and signs its notifications with the account’s own secrets', async () => {
    const secrets = { accessToken: 'a', appSecret: 'its own', verifyToken: 'sesame' };
    const provider = { kind: 'meta', phoneNumberId: '11', businessAccountId: '22', ...secrets };
    const account = await calls.newAccount({ settings: { whatsapp: { provider } } });
    const { body } = await stack.admin('GET', `${account.path}/callback-urls`);
    const ask = async (token: string) => {
      const answer = await fetch(
        `${body.data.whatsapp}?hub.mode=subscribe&hub.verify_token=${token}&hub.challenge=1158`,
      );
      return [answer.status, await answer.text()];
    };
    expect(await ask('sesame')).toEqual([200, '1158']);
    expect((await ask('simulator-verify-token'))[0]).toBe(403);
    expect((await calls.callback(body.data.whatsapp, signedBy('its own', '{}'), '{}')).status).toBe(200);
    expect((await calls.callback(body.data.whatsapp, signedBy('simulator-app-secret', '{}'), '{}')).status).toBe(401);
  });
});

describe('whatsapp templates', () => {
  it('are read from the business account, listed with Meta’s status, and sent as free text', async () => {
    const account = await calls.newAccount();
    const sync = async () => (await stack.admin('POST', `${account.path}/whatsapp/templates/sync`)).body.data;
    expect([await sync(), await sync()]).toEqual([
      { synced: 7, changed: 7 },
      { synced: 7, changed: 0 },
    ]);
    const list: Record<string, string>[] = await account.read('/templates?channel=whatsapp');
    expect(
      list
        .map(({ name, locale, whatsappStatus, isActive }) => `${name} ${locale} ${whatsappStatus} ${isActive}`)
        .sort(),
    ).toEqual([
      'free_gift en-US REJECTED false',
      'login_code en-US APPROVED true',
      'old_receipt en-US DISABLED false',
      'order_shipped bn APPROVED true',
      'order_shipped en-US APPROVED true',
      'spring_sale en-US PENDING false',
      'weekly_offers en-US DISABLED false',
    ]);
    expect(await account.read('/templates?channel=sms')).toEqual([]);
    const idOf = (wanted: string, locale = 'en-US') =>
      list.find((one) => one['name'] === wanted && one['locale'] === locale)?.['id'];
    const to = '+8801777770000';
    await account.writes(to);
    const variables = { 1: 'Ada', 2: 'A-17' };
    const send = (name: string) => ({ channel: 'whatsapp', to, templateId: idOf(name), variables });
    await account.become(await account.accepted(send('order_shipped')), 'read');
    expect(await calls.caughtBy(to)).toMatchObject([{ text: 'Hi Ada, your order A-17 is on its way.' }]);
    expect((await account.refusal(send('spring_sale'))).slice(0, 2)).toEqual([404, 'template_not_found']);
  });
});

describe('a recipient’s opt-out', () => {
  const unsubscribed = (channel: string) => [
    422,
    'send_blocked',
    `The contact has unsubscribed. A new consent to ${channel} lifts this.`,
  ];
  type Account = Awaited<ReturnType<TextCalls['reachable']>>;

  /** STOP, then START: first both channels are refused, then the requested one is allowed, with its history. */
  const heedsThem = async (account: Account, channel: 'sms' | 'whatsapp', say: (text: string) => Promise<unknown>) => {
    await account.accepted(textTo(channel, phone));
    await say('Please stop');
    expect(await account.status()).toBe('active');
    await say(' Stop. ');
    expect(await account.status()).toBe('unsubscribed');
    for (const each of ['sms', 'whatsapp'] as const) {
      expect(await account.refusal(textTo(each, phone))).toEqual(unsubscribed(each));
    }
    const shared = { channel, source: 'keyword', by: 'recipient', at: someText };
    const { current } = await account.consents();
    expect(current).toContainEqual({ ...shared, status: 'withdrawn', text: ' Stop. ' });
    await say('START');
    expect(await account.status()).toBe('active');
    await account.accepted(textTo(channel, phone));
    const { history }: { history: { by: string }[] } = await account.consents();
    expect(history.filter(({ by }) => by === 'recipient')).toMatchObject([
      { ...shared, status: 'active' },
      { ...shared, status: 'withdrawn' },
    ]);
  };

  it('arrives by whatsapp, recorded by an operator', async () => {
    const account = await calls.reachable();
    await heedsThem(account, 'whatsapp', (text) => account.writes(phone, text));
  });

  it('arrives by whatsapp, from Meta', async () => {
    const account = await calls.reachable();
    // Meta sends whole seconds, so these follow one another, after the recorded consent.
    let seconds = Math.floor(Date.now() / 1_000);
    await heedsThem(account, 'whatsapp', async (text) => {
      seconds += 1;
      const sender = { id: `wamid.${seconds}`, from: phone.slice(1), timestamp: String(seconds) };
      const messages = [{ ...sender, type: 'text', text: { body: text } }];
      const value = { metadata: { phone_number_id: '100000000000001' }, messages };
      const entry = [{ id: '100000000000002', changes: [{ field: 'messages', value }] }];
      const body = JSON.stringify({ object: 'whatsapp_business_account', entry });
      const path = `/callbacks/whatsapp/${account.id}`;
      expect((await calls.callback(path, signedBy('another', body), body)).status).toBe(401);
      expect((await calls.callback(path, signedBy('simulator-app-secret', body), body)).status).toBe(200);
    });
  });

  it('arrives by sms, from the account’s gateway', async () => {
    const account = await calls.reachable();
    const { body } = await stack.admin('GET', `${account.path}/callback-urls`);
    await heedsThem(account, 'sms', async (text) => {
      const payload = JSON.stringify({ from: phone, text });
      expect((await calls.callback(`${body.data.smsInbound}x`, {}, payload)).status).toBe(404);
      expect((await calls.callback(body.data.smsInbound, {}, payload)).status).toBe(200);
    });
  });
});
