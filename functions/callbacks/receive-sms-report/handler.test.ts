import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { HttpGatewaySettings } from '../../../shared/accounts/provider-settings.ts';
import { callback } from '../../../shared/http/callback.ts';
import { callBack, unlimited } from '../../../shared/http/callback-fixture.ts';
import type { SmsSettings } from '../../../shared/messages/text-settings.ts';
import { handedOverText } from '../../../test/accepted-message.ts';
import { startWorld, type TestAccount, type World } from '../../../test/world.ts';
import { receiveSmsReport } from './handler.ts';

const report: NonNullable<HttpGatewaySettings['report']> = {
  delivered: { at: '/dlr/state', isOneOf: ['DELIVRD', '1'] },
  failed: { at: '/dlr/state', isOneOf: ['UNDELIV'] },
  rejected: { at: '/dlr/state', isOneOf: ['REJECTD'] },
  code: '/dlr/code',
  reason: '/dlr/text',
};
const flat: typeof report = {
  delivered: { at: '/state', isOneOf: ['DELIVRD'] },
  failed: { at: '/state', isOneOf: ['UNDELIV'] },
};
const gateway: HttpGatewaySettings = {
  kind: 'http',
  url: 'https://gateway.example.com',
  method: 'POST',
  headers: {},
  body: '',
  takesReference: false,
  answer: {},
};

let world: World;
let account: TestAccount;
beforeAll(async () => {
  world = await startWorld();
  account = await world.newAccount();
});
afterAll(() => world.close());

/** An sms that the gateway has taken, unless its answer was lost. */
const sent = async (wishes?: { readonly isAnswered: boolean }) => {
  const { id } = await handedOverText(world, account, wishes);
  const url = await world.messageLinks.urlFor('sms-report', account.ref, id);
  return { id, token: url.split('/').at(-1) ?? '' };
};

const notify = (
  token: string,
  call: Omit<Parameters<typeof callBack>[1], 'path'>,
  settings: SmsSettings | undefined = { ...gateway, report },
) =>
  callBack(callback(receiveSmsReport({ ...world, smsSettings: () => settings }), unlimited), {
    path: { token },
    ...call,
  });

const seen = async (id: string) => {
  const message = await world.messages.find(account.ref, id);
  return { message, contact: await world.contacts.find(account.ref, message?.contactId ?? '') };
};

describe('a gateway’s report', () => {
  it.each([
    ['{"dlr": {"state": "DELIVRD"}}', 'delivered', null, null, 51],
    ['{"dlr": {"state": 1}}', 'delivered', null, null, 51],
    ['{"dlr": {"state": "undeliv", "code": 27, "text": "Absent"}}', 'failed', '27', 'Absent', 50],
    ['{"dlr": {"state": "REJECTD", "code": "spam"}}', 'rejected', 'spam', expect.any(String), 50],
    ['{"dlr": {"state": "ENROUTE"}}', 'sent', null, null, 50],
    ['{"other": true}', 'sent', null, null, 50],
    ['no JSON at all', 'sent', null, null, 50],
    ['', 'sent', null, null, 50],
  ])('%s: the message is %s', async (body, status, failureCode, failureReason, score) => {
    const { id, token } = await sent();
    const { status: answered, text } = await notify(token, { body });
    expect([answered, text]).toEqual([200, 'heard']);
    expect(await seen(id)).toMatchObject({ message: { status, failureCode, failureReason }, contact: { score } });
  });

  it('may come as a form or in the query', async () => {
    for (const call of [{ body: 'state=DELIVRD&id=7' }, { query: { state: 'delivrd' } }]) {
      const { id, token } = await sent();
      await notify(token, call, { ...gateway, report: flat });
      expect(await seen(id)).toMatchObject({ message: { status: 'delivered' } });
    }
  });

  it('moves on a message whose answer was lost; the credit stays taken', async () => {
    const before = await world.accounts.credits(account.ref.id);
    const { id, token } = await sent({ isAnswered: false });
    await notify(token, { body: '{"dlr": {"state": "DELIVRD"}}' });
    expect((await seen(id)).message).toMatchObject({ status: 'delivered', sentAt: expect.any(String) });
    expect((await world.accounts.credits(account.ref.id))?.smsMasked).toBe((before?.smsMasked ?? 0) - 1);
  });

  it('changes nothing when it comes again, or too late', async () => {
    const { id, token } = await sent();
    await notify(token, { body: '{"dlr": {"state": "DELIVRD"}}' });
    const once = await seen(id);
    for (const state of ['DELIVRD', 'UNDELIV', 'REJECTD', 'ENROUTE'])
      expect((await notify(token, { body: JSON.stringify({ dlr: { state } }) })).status).toBe(200);
    expect(await seen(id)).toEqual(once);
  });

  it('404 under a token that is forged, of another purpose, another account or another message; nothing changes', async () => {
    const { id, token } = await sent();
    const stranger = await world.newAccount();
    const tokenOf = async (url: Promise<string>) => (await url).split('/').at(-1) ?? '';
    const unsubscribing = await tokenOf(world.messageLinks.urlFor('unsubscribe', account.ref, id));
    const strangers = await tokenOf(world.messageLinks.urlFor('sms-report', stranger.ref, id));
    const last = token.at(-1) === 'A' ? 'B' : 'A';
    for (const bad of [unsubscribing, token.slice(0, -2) + last.repeat(2), 'x', '']) {
      expect(await notify(bad, { body: '{"dlr": {"state": "DELIVRD"}}' })).toMatchObject({
        status: 404,
        text: 'unknown',
      });
    }
    await notify(strangers, { body: '{"dlr": {"state": "DELIVRD"}}' });
    expect(await seen(id)).toMatchObject({ message: { status: 'sent' } });
  });

  it('says nothing where the account’s provider is not one that reports so', async () => {
    for (const settings of [undefined, { kind: 'aws' as const }, gateway]) {
      const { id, token } = await sent();
      const handler = callback(receiveSmsReport({ ...world, smsSettings: () => settings }), unlimited);
      const answer = await callBack(handler, { path: { token }, body: '{"dlr": {"state": "DELIVRD"}}' });
      expect(answer.status).toBe(200);
      expect(await seen(id)).toMatchObject({ message: { status: 'sent' } });
    }
  });
});
