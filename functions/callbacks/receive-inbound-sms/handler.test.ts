import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { changed } from '../../../shared/accounts/account.ts';
import type { SmsProviderSettings } from '../../../shared/accounts/provider-settings.ts';
import { callback } from '../../../shared/http/callback.ts';
import { callBack, unlimited } from '../../../shared/http/callback-fixture.ts';
import { newId } from '../../../shared/kit/id.ts';
import { firstInboundUrls } from '../../../shared/messages/callback-urls.ts';
import type { SmsSettings } from '../../../shared/messages/text-settings.ts';
import { acceptedText } from '../../../test/accepted-message.ts';
import { linesOf } from '../../../test/log-lines.ts';
import { startWorld, type TestAccount, type World } from '../../../test/world.ts';
import { receiveInboundSms } from './handler.ts';
import { inboundSmsIn } from './inbound-sms.ts';

const settings: SmsSettings = {
  kind: 'http',
  url: 'https://gateway.example.com',
  method: 'POST',
  headers: {},
  body: '',
  takesReference: false,
  answer: {},
  inbound: { from: '/sender', text: '/message', id: '/id' },
};

let world: World;
let account: TestAccount;
let url: string;
/** A recipient of an earlier sms. */
let contactId: string;
let phone: string;
beforeAll(async () => {
  world = await startWorld();
  account = await world.newAccount();
  url = await urlOf(account);
});
beforeEach(async () => {
  const { message } = await acceptedText(world, account);
  const found = await world.messages.find(account.ref, message);
  [contactId, phone] = [found?.contactId ?? '', found?.to ?? ''];
});
afterAll(() => world.close());

const notify = (fields: object, { at = url, gateway = settings as SmsSettings, clock = Date.now, ...call } = {}) => {
  const [id = '', token = ''] = at.split('/').slice(-2);
  return callBack(callback(receiveInboundSms({ ...world, smsSettings: () => gateway }), unlimited, clock), {
    path: { account: id, token },
    body: JSON.stringify(fields),
    ...call,
  });
};
/** As before any rotation, and of accounts of the release before: made of the account's id alone. */
const urlOf = async ({ ref }: TestAccount) =>
  (await world.callbackUrls.of({ ref, inboundUrls: firstInboundUrls })).smsInbound;
const statusOf = async () => (await world.contacts.find(account.ref, contactId))?.status;

describe('an inbound sms', () => {
  it('STOP withdraws consent, START gives it again', async () => {
    const lines = await linesOf(async () =>
      expect((await notify({ sender: phone, message: ' stop ', id: 'a' })).status).toBe(200),
    );
    expect(lines).toContainEqual(expect.objectContaining({ message: 'inbound sms', accountId: account.ref.id }));
    expect(await statusOf()).toBe('unsubscribed');
    expect(await world.consents.list(account.ref, contactId)).toMatchObject([{ status: 'withdrawn', text: ' stop ' }]);
    await notify({ sender: phone.slice(1), message: 'START', id: 'b' });
    expect(await statusOf()).toBe('active');
  });

  it('counts once, however often it is repeated', async () => {
    for (let n = 0; n < 3; n += 1) await notify({ sender: phone, message: 'STOP', id: 'c' });
    await notify({ sender: phone, message: 'START', id: 'd' });
    await notify({ sender: phone, message: 'STOP', id: 'c' });
    expect(await statusOf()).toBe('active');
    expect(await world.consents.list(account.ref, contactId)).toHaveLength(2);
  });

  it.each([
    ['00', (digits: string) => `00${digits}`],
    ['spaces', (digits: string) => ` ${digits} `],
    [
      'groups',
      (digits: string) => `+${digits.slice(0, 3)} (${digits.slice(3, 7)}) ${digits.slice(7, 9)}-${digits.slice(9)}`,
    ],
    ['a scheme', (digits: string) => `tel:+${digits}`],
    ['dots', (digits: string) => `${digits.slice(0, 3)}.${digits.slice(3)}`],
  ])('STOP counts however the gateway writes the number: with %s', async (_, write) => {
    await notify({ sender: write(phone.slice(1)), message: 'STOP' });
    expect(await statusOf()).toBe('unsubscribed');
  });

  it.each([
    ['as it is dialled there', (digits: string) => digits.replace(/^880/, '0')],
    ['without its zero', (digits: string) => digits.replace(/^880/, '')],
    ['in groups', (digits: string) => `${digits.replace(/^880/, '0').slice(0, 5)}-${digits.slice(7)}`],
    ['whole', (digits: string) => digits],
  ])('STOP counts where the gateway of a country writes the number %s', async (_, write) => {
    const gateway = { ...settings, inbound: { from: '/sender', text: '/message', country: 'BD' } };
    await notify({ sender: write(phone.slice(1)), message: 'STOP' }, { gateway });
    expect(await statusOf()).toBe('unsubscribed');
  });

  it.each([
    ['DE', '4915123456789', '+4915123456789'],
    ['DE', '015123456789', '+4915123456789'],
    ['DE', '41791234567', '+41791234567'],
    ['ID', '62811123456', '+62811123456'],
    ['IN', '6591234567', '+6591234567'],
    ['XK', '38343201234', '+38343201234'],
    ['SG', '62345678', '+6562345678'],
    ['US', '8005550123', '+18005550123'],
    ['GB', '02079460000', '+442079460000'],
    ['JP', '05012345678', '+815012345678'],
  ])('in %s, %s is what a reader there takes it for', (country, sender, from) => {
    const inbound = { from: '/sender', text: '/message', country };
    expect(inboundSmsIn({ sender, message: 'STOP' }, inbound, 0)?.from).toBe(from);
  });

  it('is not taken for a stranger’s where its number is not whole and no country is known', async () => {
    const lines = await linesOf(() => notify({ sender: phone.replace('+880', '0'), message: 'STOP' }));
    expect(await statusOf()).toBe('active');
    expect(lines).toContainEqual(expect.objectContaining({ level: 'warn', isRead: false }));
  });

  it.each([
    ['no id', { ...settings, inbound: { from: '/sender', text: '/message' } }],
    ['an empty id', settings],
  ])('with %s: each STOP counts, a START once within a minute', async (_, gateway) => {
    const minuteMs = Date.parse('2026-11-20T12:00:00Z');
    const statuses: unknown[] = [];
    const said = [
      [0, 'STOP'],
      [1, 'START'],
      [2, 'STOP'],
      [61, 'START'],
      [62, 'START'],
    ] as const;
    for (const [second, message] of said) {
      await notify({ sender: phone, message, id: '' }, { gateway, clock: () => minuteMs + second * 1_000 });
      statuses.push(await statusOf());
    }
    expect(statuses).toEqual(['unsubscribed', 'active', 'unsubscribed', 'unsubscribed', 'active']);
  });

  it.each([0, 2, 58, 59.999])(
    'without an id: a START of second %d of a minute that is repeated in the next minute does not lift a STOP in between',
    async (second) => {
      const firstMs = Date.parse('2026-11-20T12:00:00Z') + second * 1_000;
      const gateway = { ...settings, inbound: { from: '/sender', text: '/message' } };
      const stranger = `+88018${phone.slice(-8)}`;
      const optOutOf = async (of: string) =>
        (await world.sends.read(account.ref, { channel: 'sms', contact: { phone: of } })).optOut?.said.any?.status;
      for (const [afterMs, message] of [
        [0, 'START'],
        [500, 'STOP'],
        [59_999, 'START'],
      ] as const)
        for (const sender of [phone, stranger])
          await notify({ sender, message }, { gateway, clock: () => firstMs + afterMs });
      expect([await optOutOf(phone), await optOutOf(stranger)]).toEqual(['withdrawn', 'withdrawn']);
      expect(await statusOf()).toBe('unsubscribed');
    },
  );

  it('without a keyword, from an unknown or a missing sender changes nothing', async () => {
    for (const fields of [
      { sender: phone, message: 'Hello' },
      { sender: '+8801999999999', message: 'STOP' },
      { message: 'STOP' },
      {},
    ]) {
      expect((await notify(fields)).status).toBe(200);
    }
    expect(await statusOf()).toBe('active');
    expect(await world.consents.list(account.ref, contactId)).toEqual([]);
  });

  it('whose sender cannot be read is in the log as a warning, because a STOP would be lost', async () => {
    const levelOf = async (sender: string) => {
      const lines = await linesOf(() => notify({ sender, message: 'STOP' }));
      return lines.find(({ message }) => message === 'inbound sms')?.['level'];
    };
    expect([await levelOf('01712345678'), await levelOf('+8801999999999')]).toEqual(['warn', 'info']);
  });

  it.each<[string, SmsSettings]>([
    ['another gateway', { ...settings, inbound: { from: '/sender', text: '/content/body' } }],
    ['a gateway whose inbound messages are not read', { ...settings, inbound: undefined }],
    ['AWS', { kind: 'aws' }],
  ])('STOP to a text of the gateway before counts where the account now has %s', async (_, gateway) => {
    const choose = async (provider: SmsProviderSettings) => {
      const before = await world.accounts.find(account.ref.id);
      if (!before) throw new Error('the account is gone');
      await world.accounts.save(before, changed(before, { sms: { provider } }), Date.now());
    };
    const others = ['/one', '/two'].map((text) => ({ ...settings, inbound: { from: '/of', text } }));
    for (const provider of [settings, ...others, gateway]) await choose(provider);
    const late = { sender: phone, message: 'STOP', id: newId(Date.now()) };
    const [line] = await linesOf(() => notify(late, { gateway }));
    expect(line).toMatchObject({ message: 'inbound sms', level: 'info', isRead: true });
    expect(await statusOf()).toBe('unsubscribed');
  });

  it('is in the log as a warning where no gateway of the account’s settings writes so', async () => {
    const other = await world.newAccount();
    const at = await urlOf(other);
    for (const gateway of [settings, { ...settings, inbound: undefined }, { kind: 'aws' } as const]) {
      const lines = await linesOf(() => notify({ from: phone, text: 'STOP' }, { at, gateway }));
      expect(lines).toContainEqual(
        expect.objectContaining({ message: 'inbound sms', level: 'warn', accountId: other.ref.id, isRead: false }),
      );
    }
  });

  it('404 under another URL than the account’s own; nothing changes', async () => {
    const stranger = await world.newAccount();
    const theirs = await urlOf(stranger);
    const token = url.split('/').at(-1) ?? '';
    const forged = [
      `${url}x`,
      url.slice(0, -1),
      theirs.replace(stranger.ref.id, account.ref.id),
      `/${stranger.ref.id}/${token}`,
      '/x/y',
    ];
    for (const at of forged) expect((await notify({ sender: phone, message: 'STOP' }, { at })).status).toBe(404);
    expect(await statusOf()).toBe('active');
  });

  it('counts under a URL that was replaced until its overlap ends; after that it is 404 as any other, and changes nothing', async () => {
    const rotating = await world.newAccount();
    const { message } = await acceptedText(world, rotating);
    const { contactId: recipient = '', to: sender } = (await world.messages.find(rotating.ref, message)) ?? {};
    const first = await urlOf(rotating);
    const [nowMs, untilMs] = [Date.now(), Date.now() + 60_000];
    const wished = { version: newId(nowMs), previousValidUntilMs: untilMs };
    const rotated = await world.inboundUrls.rotate(rotating.ref.id, wished, nowMs);
    const second = rotated && (await world.callbackUrls.of(rotated)).smsInbound;
    const said = async (text: string, at: string | undefined, timeMs: number) => [
      (await notify({ sender, message: text, id: newId(timeMs) }, { at, clock: () => timeMs })).status,
      (await world.contacts.find(rotating.ref, recipient))?.status,
    ];
    expect(await said('STOP', first, untilMs - 1)).toEqual([200, 'unsubscribed']);
    expect(await said('START', first, untilMs)).toEqual([404, 'unsubscribed']);
    expect(await said('START', second, untilMs)).toEqual([200, 'active']);
    expect(await said('STOP', first, untilMs)).toEqual([404, 'active']);
  });
});
