import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type ContactStatus, changed } from '../../../shared/contacts/contact.ts';
import { newId } from '../../../shared/kit/id.ts';
import { iso } from '../../../shared/kit/time.ts';
import { dayMs } from '../../../shared/kit/time-units.ts';
import { newEmail } from '../../../shared/messages/new-message.ts';
import type { Item } from '../../../shared/table/table.ts';
import { acceptEmail } from '../../../test/accepted-message.ts';
import { noConsent, noContact } from '../../../test/consent-refusals.ts';
import { linesOf } from '../../../test/log-lines.ts';
import { openTexting, somePhone, spam, type Texting } from './text-fixture.ts';

let texting: Texting;
beforeAll(async () => {
  texting = await openTexting();
});
afterAll(() => texting.world.close());

type Reachable = Awaited<ReturnType<Texting['reachable']>>;

/** 02:00 in Bangladesh, in this night or the next one. */
const nightMs = Math.floor(Date.now() / dayMs) * dayMs + 20 * 3_600_000;
const atNight = { start: '21:00', end: '08:00' };
const cap = { max: 1, windowSeconds: 3_600 };

const send = (account: Reachable, body: object = {}, nowMs = Date.now()) =>
  texting.sendAs(newId(nowMs), { channel: 'sms', to: account.phone, text: 'Hi', ...body }, account.ref, { nowMs });

/** Everything in the table, in an order of its own. */
const everything = async () => {
  const name = (item: Item) => `${item['PK']} ${item['SK']}`;
  return (await texting.world.scan()).toSorted((a, b) => (name(a) < name(b) ? -1 : 1));
};

/** The refusal of a send. It also checks that the send changed nothing. */
const refusal = async (account: Reachable, body: object = {}, nowMs = Date.now()) => {
  const before = await everything();
  const refused: unknown = await send(account, body, nowMs).catch((thrown: unknown) => thrown);
  expect(await everything()).toEqual(before);
  if (!(refused instanceof Error)) throw new Error('it was sent');
  return [(refused as Error & { code?: string }).code, refused.message];
};

describe('POST /messages refuses and leaves nothing behind: 422', () => {
  it.each([
    [
      'a frozen account',
      ({ ref }: Reachable) => texting.change(ref.id, { status: 'frozen' }),
      'The account is frozen.',
    ],
    [
      'a quarantined contact',
      ({ ref, contactId }: Reachable) => texting.world.contacts.setStatus(ref, contactId, 'quarantined', Date.now()),
      'The contact is quarantined.',
    ],
    [
      'an unsubscribed contact, even though its consent is active',
      ({ ref, contactId }: Reachable) => texting.world.contacts.setStatus(ref, contactId, 'unsubscribed', Date.now()),
      expect.stringContaining('The contact has unsubscribed.'),
    ],
  ])('%s, on sms and whatsapp', async (_, arrange, message) => {
    const account = await texting.reachable();
    await arrange(account);
    for (const channel of ['sms', 'whatsapp']) {
      expect(await refusal(account, { channel })).toEqual(['send_blocked', message]);
    }
  });

  it('a contact that unsubscribed from a mail, until it consents anew, on that channel, and until it unsubscribes again', async () => {
    const account = await texting.reachable();
    const { ref, contactId, phone } = account;
    const { world } = texting;
    const nowMs = Date.now();
    const to = `${contactId}@example.com`;
    await world.contacts.change(ref, contactId, (before) => ({ ...before, email: to }));
    const id = newId(nowMs);
    await acceptEmail(world, ref, newEmail({ channel: 'email', to }, id));
    const unsubscribe = (atMs: number) => world.outcomeRecorder.optOut(ref, id, atMs);
    const unsubscribed = ['send_blocked', expect.stringContaining('The contact has unsubscribed.')];

    await unsubscribe(nowMs + 1_000);
    for (const channel of ['sms', 'whatsapp']) expect(await refusal(account, { channel })).toEqual(unsubscribed);
    await texting.consent(ref, contactId, { at: iso(nowMs + 500) });
    expect(await refusal(account, { channel: 'sms' })).toEqual(unsubscribed);
    await texting.consent(ref, contactId, { at: iso(nowMs + 2_000) });
    expect((await send(account, { channel: 'sms', to: phone })).status).toBe('queued');
    expect(await refusal(account, { channel: 'whatsapp' })).toEqual(unsubscribed);
    await world.contacts.change(ref, contactId, (before) => changed(before, { firstName: 'Ada' }, nowMs + 5_000));
    expect((await send(account, { channel: 'sms', to: phone })).status).toBe('queued');
    await unsubscribe(nowMs + 3_000);
    expect(await refusal(account, { channel: 'sms' })).toEqual(unsubscribed);
  });

  it('a contact that has withdrawn its consent to this channel, and no other channel', async () => {
    for (const channel of ['sms', 'whatsapp'] as const) {
      const account = await texting.reachable();
      await texting.consent(account.ref, account.contactId, { channel, status: 'withdrawn' });
      const message = `The contact has withdrawn its consent to ${channel}. A new consent to ${channel} lifts this.`;
      expect(await refusal(account, { channel })).toEqual(['send_blocked', message]);
      const other = channel === 'sms' ? 'whatsapp' : 'sms';
      expect((await send(account, { channel: other })).status).toBe('queued');
    }
  });

  it('an sms to a contact without consent, and to an unknown recipient', async () => {
    const account = await texting.reachable();
    const silent = somePhone();
    await texting.newContact(account.ref, silent);
    expect(await refusal(account, { to: silent })).toEqual(['send_blocked', noConsent]);
    expect(await refusal(account, { to: somePhone() })).toEqual(['send_blocked', noContact]);
  });

  it('in quiet hours of the recipient, until they end', async () => {
    const account = await texting.reachable({ settings: { quietHours: atNight } });
    await texting.world.windows.open(account.ref, account.phone, nightMs);
    const message = `Quiet hours apply at the recipient: sending is possible from ${iso(nightMs + 6 * 3_600_000)}.`;
    for (const channel of ['sms', 'whatsapp']) {
      expect(await refusal(account, { channel }, nightMs)).toEqual(['send_blocked', message]);
    }
    expect((await send(account, {}, nightMs + 6 * 3_600_000)).status).toBe('queued');
  });

  it('over the cap of sms and whatsapp messages to one contact, until the window has moved on', async () => {
    const account = await texting.reachable({ settings: { frequencyCap: cap } });
    const nowMs = Date.now();
    await send(account, { channel: 'whatsapp' }, nowMs);
    const freeAt = new Date(nowMs + 3_600_000).toISOString();
    const message = `The frequency cap for this contact is reached: sending is possible from ${freeAt}.`;
    for (const channel of ['sms', 'whatsapp']) {
      expect(await refusal(account, { channel }, nowMs + 3_599_999)).toEqual(['send_blocked', message]);
    }
    const other = somePhone();
    await texting.consent(account.ref, await texting.newContact(account.ref, other));
    expect((await send(account, { to: other }, nowMs)).status).toBe('queued');
    expect((await send(account, {}, nowMs + 3_600_000)).status).toBe('queued');
  });

  it('whatsapp without a window, and 24 hours after it opened', async () => {
    const account = await texting.reachable();
    const closed = expect.stringContaining('The whatsapp window is closed');
    expect(await refusal(account, { channel: 'whatsapp', to: somePhone() })).toEqual(['send_blocked', closed]);
    const nowMs = Date.now() + 1_000;
    await texting.world.windows.open(account.ref, account.phone, nowMs);
    expect(await refusal(account, { channel: 'whatsapp' }, nowMs + dayMs)).toEqual(['send_blocked', closed]);
    expect((await send(account, { channel: 'whatsapp' }, nowMs + dayMs - 1)).status).toBe('queued');
  });

  it('402 an sms that the counter of its sender cannot cover, with a line for the alarm that names the account', async () => {
    const account = await texting.reachable({ credits: { smsMasked: 2 }, settings: { frequencyCap: cap } });
    const refused: unknown[] = [];
    const lines = await linesOf(async () => void refused.push(...(await refusal(account, { text: 'x'.repeat(307) }))));
    expect(refused).toEqual(['insufficient_credits', 'This send costs 3 smsMasked credits; the account has fewer.']);
    expect(lines.filter(({ outOfCredits }) => outOfCredits)).toMatchObject([
      { level: 'error', accountId: account.ref.id, counter: 'smsMasked' },
    ]);
    expect((await send(account, { text: 'x'.repeat(306) })).status).toBe('queued');
  });

  it('and names the first failed rule, then the next', async () => {
    const { world } = texting;
    const account = await texting.reachable({ settings: { frequencyCap: cap }, credits: { smsMasked: 1 } });
    const { ref, contactId, phone } = account;
    const nowMs = nightMs + 7 * dayMs;
    const setStatus = (status: ContactStatus) => world.contacts.setStatus(ref, contactId, status, nowMs);
    await send(account, {}, nowMs);
    await world.windows.close(ref, phone, nowMs);
    await texting.change(ref.id, { status: 'frozen', quietHours: atNight });
    await setStatus('quarantined');
    await texting.consent(ref, contactId, { status: 'withdrawn', at: iso(nowMs - 1) });
    let text = spam;
    /** That a scan has found spam is counted, so that alone leaves something. */
    const reason = async (body: object = {}): Promise<string> => {
      const sent = { text, ...body };
      if (text === spam) return send(account, sent, nowMs).then(String, (refused: Error) => refused.message);
      return String((await refusal(account, sent, nowMs))[1]);
    };
    // The obstacles, and how to remove them.
    const steps: readonly (readonly [string, () => unknown])[] = [
      ['The account is frozen.', () => texting.change(ref.id, { status: 'active' })],
      ['The spam scan rejects the content (gtube).', () => (text = 'Hi')],
      ['The contact is quarantined.', () => setStatus('unsubscribed')],
      ['The contact has unsubscribed. A new consent to sms lifts this.', () => setStatus('active')],
      ['The contact has withdrawn its consent to sms.', () => texting.consent(ref, contactId, { at: iso(nowMs) })],
      ['Quiet hours apply at the recipient', () => texting.change(ref.id, { quietHours: null })],
      ['The frequency cap for this contact is reached', () => texting.change(ref.id, { frequencyCap: null })],
      ['smsMasked', () => world.setCredits(ref, { email: 0, smsMasked: 1, smsNonMasked: 0 })],
    ];
    for (const [what, mend] of steps) {
      expect(await reason()).toContain(what);
      await mend();
    }
    expect(await reason({ channel: 'whatsapp' })).toContain('window');
    expect((await send(account, {}, nowMs)).status).toBe('queued');
  });
});

describe('POST /messages to a phone that has changed hands', () => {
  it('422 refuses an sms to a retired contact’s phone; 201 makes a new contact of it by whatsapp', async () => {
    const { world } = texting;
    const account = await texting.reachable();
    await world.contacts.retire(account.ref, account.contactId, Date.now());
    expect(await refusal(account)).toEqual(['send_blocked', noContact]);
    expect((await send(account, { channel: 'whatsapp' })).status).toBe('queued');
    const { holder } = await world.sends.read(account.ref, { channel: 'sms', contact: { phone: account.phone } });
    expect(holder?.contactId).not.toBe(account.contactId);
    expect(await refusal(account)).toEqual(['send_blocked', noConsent]);
  });

  it('422 refuses an sms to a contact’s new number: its consent does not go with it', async () => {
    const { world } = texting;
    const account = await texting.reachable();
    const phone = somePhone();
    await world.contacts.change(account.ref, account.contactId, (before) => ({
      ...before,
      phone,
      updatedAt: new Date(Date.parse(before.updatedAt) + 1).toISOString(),
    }));
    expect(await refusal(account, { to: phone })).toEqual(['send_blocked', noConsent]);
    expect(await refusal(account)).toEqual(['send_blocked', noContact]);
  });
});

describe('POST /messages that the spam scan refuses', () => {
  const statusOf = async ({ ref, contactId }: Reachable) => (await texting.world.contacts.find(ref, contactId))?.status;
  const spamTo = (account: Reachable, body: object = {}, nowMs = Date.now()) =>
    send(account, { text: spam, ...body }, nowMs).catch((thrown: Error) => thrown.message);
  const refused = 'The spam scan rejects the content (gtube).';

  it.each(['sms', 'whatsapp'])('422 leaves nothing where there is no contact: %s', async (channel) => {
    const account = await texting.reachable();
    expect(await refusal(account, { channel, to: somePhone(), text: spam })).toEqual(['send_blocked', refused]);
  });

  it('422 refuses an email too, and makes no contact', async () => {
    const account = await texting.reachable();
    const mail = { channel: 'email', to: 'spam@example.com', subject: 's', text: 'x', html: spam };
    expect(await refusal(account, mail)).toEqual(['send_blocked', refused]);
  });

  it('422 quarantines the contact at the third time within 24 hours, regardless of the channel', async () => {
    const account = await texting.reachable();
    const { ref, contactId } = account;
    await texting.world.contacts.change(ref, contactId, (before) => ({ ...before, email: 'ada@example.com' }));
    const nowMs = Date.now();
    for (const [channel, status] of [
      ['sms', 'active'],
      ['email', 'active'],
      ['whatsapp', 'quarantined'],
    ] as const) {
      const to = channel === 'email' ? 'Ada@example.com' : account.phone;
      expect(await spamTo(account, { channel, to, subject: 's' }, nowMs)).toBe(refused);
      expect(await statusOf(account)).toBe(status);
    }
    expect(await refusal(account)).toEqual(['send_blocked', 'The contact is quarantined.']);
  });

  it('422 forgets a time that is 24 hours ago', async () => {
    const account = await texting.reachable();
    const nowMs = Date.now();
    for (const afterMs of [0, 1, dayMs, dayMs + 1]) await spamTo(account, {}, nowMs + afterMs);
    expect(await statusOf(account)).toBe('active');
    await spamTo(account, {}, nowMs + dayMs + 2);
    expect(await statusOf(account)).toBe('quarantined');
  });

  it('422 leaves a contact alone that is not active, and does not count while the account is frozen', async () => {
    const account = await texting.reachable();
    const { ref, contactId } = account;
    await texting.world.contacts.setStatus(ref, contactId, 'unsubscribed', Date.now());
    for (let n = 0; n < 4; n += 1) expect((await refusal(account, { text: spam }))[1]).toBe(refused);
    expect(await statusOf(account)).toBe('unsubscribed');
    await texting.world.contacts.setStatus(ref, contactId, 'active', Date.now());
    await texting.change(ref.id, { status: 'frozen' });
    for (let n = 0; n < 4; n += 1) expect((await refusal(account, { text: spam }))[1]).toBe('The account is frozen.');
    expect(await statusOf(account)).toBe('active');
  });

  it('422 counts each of many at the same time', async () => {
    const account = await texting.reachable();
    await Promise.all([1, 2, 3].map(() => spamTo(account)));
    expect(await statusOf(account)).toBe('quarantined');
  });
});
