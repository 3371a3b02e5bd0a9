import { createHmac } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { callback } from '../../../shared/http/callback.ts';
import { callBack, unlimited } from '../../../shared/http/callback-fixture.ts';
import { hourMs, minuteMs } from '../../../shared/kit/time-units.ts';
import { metaSettingsOf } from '../../../shared/messages/text-settings.ts';
import { handedOverText } from '../../../test/accepted-message.ts';
import { linesOf } from '../../../test/log-lines.ts';
import { startWorld, type TestAccount, type World } from '../../../test/world.ts';
import { receiveWhatsappNews } from './handler.ts';

const provider = {
  kind: 'meta' as const,
  phoneNumberId: '111',
  businessAccountId: '222',
  accessToken: 'access',
  appSecret: 'app secret',
  verifyToken: 'verify',
};

let world: World;
let account: TestAccount;
beforeAll(async () => {
  world = await startWorld();
  account = await world.newAccount({ settings: { whatsapp: { provider, messagesPerSecond: null } } });
});
afterAll(() => world.close());

const sign = (body: string, secret = provider.appSecret) =>
  `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`;

const post = (body: string, headers: Readonly<Record<string, string>>, id = account.ref.id, on: World = world) => {
  const whatsappSettings = (one: Parameters<typeof metaSettingsOf>[0]) =>
    metaSettingsOf(one, { provider: 'none', simulatorUrl: undefined });
  const handler = callback(receiveWhatsappNews({ ...on, whatsappSettings }), unlimited);
  return callBack(handler, { path: { account: id }, headers, body });
};
const notify = (notification: unknown, on = world) => {
  const body = JSON.stringify(notification);
  return post(body, { 'x-hub-signature-256': sign(body) }, account.ref.id, on);
};

const change = (value: object, field = 'messages') => ({ field, value });
const traffic = (more: object, phoneNumberId = '111') =>
  change({ messaging_product: 'whatsapp', metadata: { phone_number_id: phoneNumberId }, ...more });
const news = (...changes: readonly object[]) => ({
  object: 'whatsapp_business_account',
  entry: [{ id: '222', changes }],
});

interface Sent {
  readonly id: string;
  readonly to: string;
}

/** A message that Meta has accepted, marked by its worker by default. */
const sent = async (wishes?: { readonly isAnswered: boolean }): Promise<Sent> => {
  const { id, to } = await handedOverText(world, account, { channel: 'whatsapp', ...wishes });
  return { id, to: to ?? '' };
};

const status = ({ id }: Sent, reported: string, code?: number, accountId = account.ref.id) => ({
  id: 'wamid.x',
  status: reported,
  timestamp: '1795176000',
  recipient_id: '8801700000000',
  biz_opaque_callback_data: `${accountId}:${id}`,
  ...(code && { errors: [{ code, title: 'T', message: 'M', error_data: { details: 'Some details.' } }] }),
});

const seen = async ({ id }: Sent) => {
  const message = await world.messages.find(account.ref, id);
  return { message, contact: await world.contacts.find(account.ref, message?.contactId ?? '') };
};

describe('a status', () => {
  it.each([
    [['sent'], undefined, 'sent', null, 50],
    [['delivered'], undefined, 'delivered', null, 51],
    [['read'], undefined, 'read', null, 55],
    [['sent', 'delivered', 'read'], undefined, 'read', null, 56],
    [['read', 'delivered', 'sent'], undefined, 'read', null, 55],
    [['failed'], 131026, 'failed', 'undeliverable', 50],
    [['failed'], 131047, 'failed', 'window_closed', 50],
    [['failed'], 131049, 'rejected', 'held_back', 50],
    [['failed'], 999999, 'failed', 'meta_999999', 50],
    [['delivered', 'failed'], 131026, 'delivered', null, 51],
    [['played', 'something new'], undefined, 'sent', null, 50],
  ])('%j (%s): the message is %s', async (reported, code, ends, failureCode, score) => {
    const message = await sent();
    for (const each of reported) await notify(news(traffic({ statuses: [status(message, each, code)] })));
    expect(await seen(message)).toMatchObject({ message: { status: ends, failureCode }, contact: { score } });
    const { failureReason } = (await seen(message)).message ?? {};
    expect(failureReason).toBe(failureCode === null ? null : 'Some details.');
  });

  it('raises an alarm once when Meta takes no message of the sender any more, which it says after it has accepted one', async () => {
    const alarming = async (...codes: readonly number[]) => {
      const message = await sent();
      const lines = await linesOf(async () => {
        for (const code of codes) await notify(news(traffic({ statuses: [status(message, 'failed', code)] })));
      });
      const ids = { accountId: account.ref.id, messageId: message.id, channel: 'whatsapp', level: 'error' };
      return { ids, lines: lines.filter(({ textsRefused }) => textsRefused === true) };
    };
    const { ids, lines } = await alarming(131042, 131042);
    expect(lines).toMatchObject([{ ...ids, code: 'sender_unpaid' }]);
    expect((await alarming(131026)).lines).toEqual([]);
  });

  it('finds a message that its worker has not marked yet', async () => {
    for (const [reported, ends] of [
      ['sent', 'sent'],
      ['delivered', 'delivered'],
    ] as const) {
      const message = await sent({ isAnswered: false });
      await notify(news(traffic({ statuses: [status(message, reported)] })));
      expect((await seen(message)).message).toMatchObject({ status: ends, sentAt: expect.any(String) });
    }
  });

  it('may come with others, over several entries, beside what is not known here', async () => {
    const [one, other] = [await sent(), await sent()];
    const answer = await notify({
      ...news(
        change({ anything: [1] }, 'account_update'),
        change({ broken: true }),
        traffic({ statuses: [{ status: 'delivered' }, 'nonsense', status(one, 'delivered')] }),
      ),
      entry: [
        'nonsense',
        ...news(traffic({ statuses: [status(one, 'delivered')] })).entry,
        ...news(traffic({ statuses: [status({ id: '01932f6e-8c00-7000-8000-000000000000', to: '' }, 'read')] })).entry,
        ...news(traffic({ contacts: [{}], statuses: [status(other, 'read')] })).entry,
      ],
    });
    expect([answer.status, answer.text]).toEqual([200, 'heard']);
    expect((await seen(one)).message?.status).toBe('delivered');
    expect((await seen(other)).message?.status).toBe('read');
  });

  it('is not waited for by those of other messages, because thousands may come at once', async () => {
    const messages = [await sent(), await sent(), await sent()];
    const underWay = new Set<string>();
    let most = 0;
    const record: World['outcomeRecorder']['record'] = async (ref, id, ...outcome) => {
      expect(underWay).not.toContain(id);
      most = Math.max(most, underWay.add(id).size);
      const isRecorded = await world.outcomeRecorder.record(ref, id, ...outcome);
      underWay.delete(id);
      return isRecorded;
    };
    const statuses = ['delivered', 'read'].flatMap((reported) => messages.map((each) => status(each, reported)));
    await notify(news(traffic({ statuses })), { ...world, outcomeRecorder: { ...world.outcomeRecorder, record } });
    expect(most).toBe(3);
    for (const message of messages)
      expect(await seen(message)).toMatchObject({ message: { status: 'read' }, contact: { score: 56 } });
  });

  it('changes nothing when it comes again', async () => {
    const message = await sent();
    const reported = news(traffic({ statuses: [status(message, 'delivered'), status(message, 'read')] }));
    await notify(reported);
    const once = await seen(message);
    for (let n = 0; n < 3; n += 1) expect((await notify(reported)).status).toBe(200);
    expect(await seen(message)).toEqual(once);
  });
});

describe('news that are not this account’s', () => {
  it('401 when they are not signed, signed with another secret, or changed on their way; nothing changes', async () => {
    const message = await sent();
    const body = JSON.stringify(news(traffic({ statuses: [status(message, 'failed', 131026)] })));
    const signatures = [
      '',
      'sha256=',
      'sha256=00',
      sign(body, 'guess'),
      sign(`${body} `),
      sign(body).slice(7),
      sign(body).toUpperCase(),
    ];
    for (const signature of signatures) {
      expect(await post(body, { 'x-hub-signature-256': signature })).toMatchObject({ status: 401, text: 'forged' });
    }
    expect((await post(body, {})).status).toBe(401);
    expect((await post(`${body} `, { 'x-hub-signature-256': sign(body) })).status).toBe(401);
    expect(await seen(message)).toMatchObject({ message: { status: 'sent' } });
  });

  it('are passed over when they are of another business, number or account of the same app', async () => {
    const message = await sent();
    const reported = { statuses: [status(message, 'read')] };
    const stranger = await world.newAccount();
    await notify({ entry: [{ id: '333', changes: [traffic(reported)] }] });
    await notify(news(traffic(reported, '999')));
    await notify(news(traffic({ statuses: [status(message, 'read', undefined, stranger.ref.id)] })));
    await notify({});
    await notify([]);
    expect(await seen(message)).toMatchObject({ message: { status: 'sent' } });
  });

  it('404 where there is no account, or none with WhatsApp', async () => {
    const { ref } = await world.newAccount();
    for (const id of [ref.id, 'x']) {
      expect((await post('{}', { 'x-hub-signature-256': sign('{}') }, id)).status).toBe(404);
    }
  });
});

describe('an inbound message', () => {
  const inbound = (from: string, more: object, atMs = Date.now(), id = `wamid.${from}.${atMs}`) =>
    news(
      traffic({
        messages: [{ id, from: from.replace('+', ''), timestamp: String(Math.floor(atMs / 1_000)), ...more }],
      }),
    );
  const windowOf = async (phone: string) =>
    (await world.sends.read(account.ref, { channel: 'whatsapp', contact: { phone } })).windowOpenUntilMs ?? 0;

  it('opens the window for 24 hours from when it was written, regardless of what it is', async () => {
    for (const more of [
      { type: 'text', text: { body: 'Hello' } },
      { type: 'image', image: {} },
      { type: 'button', button: { text: 'Yes' } },
    ]) {
      const { to } = await sent();
      const atMs = Date.now() - hourMs;
      await notify(inbound(to, more, atMs));
      expect(await windowOf(to)).toBe(Math.floor(atMs / 1_000) * 1_000 + 24 * hourMs);
    }
  });

  it('does not open the window by a notice of WhatsApp about the recipient', async () => {
    const { to } = await sent();
    await notify(
      inbound(to, { type: 'system', system: { body: 'User changed to another number', type: 'user_changed_number' } }),
    );
    expect(await windowOf(to)).toBe(0);
  });

  it.each([
    ['5215512345678', '+525512345678'],
    ['551187654321', '+5511987654321'],
  ])('from a phone that WhatsApp names in its former way counts for its number: %s', async (from, phone) => {
    await notify(inbound(from, { text: { body: 'Hello' } }));
    for (const form of [phone, `+${from}`]) expect(await windowOf(form)).toBeGreaterThan(Date.now());
    await notify(inbound(from, { text: { body: 'STOP' } }, Date.now() + 1_000));
    const { optOut } = await world.sends.read(account.ref, { channel: 'sms', contact: { phone } });
    expect(optOut?.said.any?.status).toBe('withdrawn');
  });

  it('cannot have been written later than now', async () => {
    const { to } = await sent();
    await notify(inbound(to, { text: { body: 'Hello' } }, Date.now() + 48 * hourMs));
    expect(await windowOf(to)).toBeLessThanOrEqual(Date.now() + 24 * hourMs);
  });

  it.each([
    { type: 'text', text: { body: 'STOP' } },
    { type: 'button', button: { text: 'Stop' } },
    { type: 'interactive', interactive: { type: 'button_reply', button_reply: { id: '1', title: 'Stop' } } },
    { type: 'interactive', interactive: { type: 'list_reply', list_reply: { id: '1', title: 'Stop' } } },
  ])('STOP opts out as $type', async (said) => {
    const message = await sent();
    await notify(inbound(message.to, said));
    expect((await seen(message)).contact?.status).toBe('unsubscribed');
  });

  it.each([
    ['Cancel', 'active'],
    ['Remove', 'active'],
    ['Stop promotions', 'unsubscribed'],
    ['STOP', 'unsubscribed'],
  ])('a button "%s" leaves its reader %s: an everyday word on a button is no wish to opt out', async (text, status) => {
    const message = await sent();
    await notify(inbound(message.to, { type: 'button', button: { text } }));
    expect((await seen(message)).contact?.status).toBe(status);
  });

  it.each(['Yes', 'Start'])(
    'a button "%s" does not opt in whoever has opted out, as the written word does',
    async (word) => {
      const message = await sent();
      await notify(inbound(message.to, { type: 'text', text: { body: 'STOP' } }, Date.now() - 3_000));
      await notify(inbound(message.to, { type: 'button', button: { text: word } }, Date.now() - 2_000));
      expect((await seen(message)).contact?.status).toBe('unsubscribed');
      await notify(inbound(message.to, { type: 'text', text: { body: word } }, Date.now()));
      expect((await seen(message)).contact?.status).toBe('active');
    },
  );

  it('STOP opts out and START in again, in any order and with repetitions', async () => {
    const message = await sent();
    const stop = inbound(message.to, { text: { body: 'STOP' } }, Date.now() - 2_000);
    const start = inbound(message.to, { text: { body: 'START' } }, Date.now());
    await notify(stop);
    expect((await seen(message)).contact?.status).toBe('unsubscribed');
    await notify(start);
    await notify(stop);
    expect((await seen(message)).contact?.status).toBe('active');
  });
});

describe('a decision about a template', () => {
  const decided = (event: string, language = 'en_US') =>
    change(
      {
        event,
        message_template_id: 12345678901234567890n.toString(),
        message_template_name: 'offer',
        message_template_language: language,
      },
      'message_template_status_update',
    );

  it('changes its state here, and that of no other', async () => {
    const remote = { name: 'offer', status: 'PENDING', text: 'Hello {{1}}' };
    const templates = ['en_US', 'bn'].map((language) => ({ ...remote, language }));
    await world.templateSync.sync(account.ref, async () => ({ kind: 'listed', templates }), Date.now());
    const states = async () =>
      Object.fromEntries(
        (await world.templates.list(account.ref, 'whatsapp')).map((one) => [
          one.locale,
          [one.whatsappStatus, one.isActive],
        ]),
      );
    for (const [event, state, language] of [
      ['APPROVED', ['APPROVED', true]],
      ['PAUSED', ['DISABLED', false]],
      ['IN_APPEAL', ['PENDING', false]],
      ['REJECTED', ['REJECTED', false]],
      ['REINSTATED', ['APPROVED', true], 'en-US'],
      ['LIMIT_EXCEEDED', ['APPROVED', true]],
      ['ARCHIVED', ['DISABLED', false]],
      ['UNARCHIVED', ['APPROVED', true]],
      ['SOMETHING_NEW', ['DISABLED', false]],
    ] as const) {
      await notify(news(decided(event, language)));
      expect(await states()).toEqual({ 'en-US': state, bn: ['PENDING', false] });
    }
    expect((await notify(news(decided('APPROVED', 'fr')))).status).toBe(200);
  });

  /** Decisions about a template that is synced as PENDING a minute ago, at so many seconds after that; gives its states after each. */
  const statesAfter = async (
    name: string,
    decisions: readonly (readonly [seconds: number | null, event: string])[],
  ) => {
    const templates = [{ name, language: 'en_US', status: 'PENDING', text: 'Hello' }];
    const syncedMs = Date.now() - minuteMs;
    await world.templateSync.sync(account.ref, async () => ({ kind: 'listed', templates }), syncedMs);
    const states = [];
    for (const [seconds, event] of decisions) {
      const value = { event, message_template_name: name, message_template_language: 'en_US' };
      const time = seconds === null ? null : Math.floor(syncedMs / 1_000) + seconds;
      const entry = { id: '222', time, changes: [change(value, 'message_template_status_update')] };
      await notify({ object: 'whatsapp_business_account', entry: [entry] });
      const listed = await world.templates.list(account.ref, 'whatsapp');
      states.push(listed.find((template) => template.name === name)?.whatsappStatus);
    }
    return states;
  };

  it('that comes after a newer one changes nothing; one of the same second does', async () => {
    const states = await statesAfter('late', [
      [20, 'APPROVED'],
      [10, 'PENDING'],
      [20, 'PAUSED'],
      [20, 'APPROVED'],
      [-10, 'REJECTED'],
      [30, 'REJECTED'],
    ]);
    expect(states).toEqual(['APPROVED', 'APPROVED', 'DISABLED', 'APPROVED', 'APPROVED', 'REJECTED']);
  });

  it('that comes after a newer one for the state that the template had changes nothing either', async () => {
    const states = await statesAfter('reinstated', [
      [10, 'APPROVED'],
      [30, 'REINSTATED'],
      [20, 'PAUSED'],
    ]);
    expect(states).toEqual(['APPROVED', 'APPROVED', 'APPROVED']);
  });

  it('that is older than a sync which changed nothing changes nothing either, unless it came just before that', async () => {
    const remote = { name: 'kept', language: 'en_US', status: 'PENDING', text: '' };
    const listed = { kind: 'listed', templates: [remote] } as const;
    const hoursAgo = (hours: number) => Date.now() - hours * hourMs;
    for (const hours of [3, 1]) await world.templateSync.sync(account.ref, async () => listed, hoursAgo(hours));
    const decide = (atMs: number) =>
      world.templateSync.decide(account.ref, { ...remote, status: 'APPROVED', atMs }, Date.now());
    expect(await decide(hoursAgo(2))).toBe(false);
    expect(await decide(hoursAgo(1) - minuteMs / 2)).toBe(true);
  });

  it('without a time counts as of now', async () => {
    expect(await statesAfter('timeless', [[null, 'APPROVED']])).toEqual(['APPROVED']);
  });
});
