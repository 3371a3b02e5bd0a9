import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { modelRuns } from '../../test/model-runs.ts';
import { startWorld, type TestAccount, type World } from '../../test/world.ts';
import { detailsOf } from '../contacts/contact.ts';
import { reacted } from '../contacts/reaction.ts';
import { newId } from '../kit/id.ts';
import { iso } from '../kit/time.ts';
import { dayMs } from '../kit/time-units.ts';
import { type TextChannel, textChannels } from '../messages/message.ts';
import type { Trigger } from '../messages/moves.ts';
import { newText } from '../messages/new-message.ts';
import type { Inbound } from './inbound-receiver.ts';
import { isOptedOut } from './opt-out.ts';

let world: World;
let account: TestAccount;
beforeAll(async () => {
  world = await startWorld();
  account = await world.newAccount();
});
afterAll(() => world.close());

const startMs = Date.parse('2026-11-20T12:00:00Z');
let phones = 0;
const somePhone = () => `+88018${String(++phones).padStart(8, '0')}`;

const newContact = async (phone: string) => {
  const id = newId(Date.now());
  await world.contacts.create(account.ref, { id, details: detailsOf({ phone }) }, startMs);
  return id;
};
const receive = (message: Partial<Inbound> & Pick<Inbound, 'from'>) =>
  world.inboundReceiver.receive(account.ref, {
    channel: 'sms',
    text: 'STOP',
    atMs: startMs,
    id: newId(Date.now()),
    ...message,
  });

/** All that inbound messages change. */
const stateOf = async (phone: string, contactId: string) => {
  const standing = async (channel: 'sms' | 'whatsapp') =>
    (await world.consents.standing(account.ref, contactId, channel))?.status;
  const { windowOpenUntilMs, optOut } = await world.sends.read(account.ref, {
    channel: 'whatsapp',
    contact: { phone },
  });
  return {
    out: textChannels.filter((channel) => isOptedOut(optOut?.said ?? {}, channel)),
    status: (await world.contacts.find(account.ref, contactId))?.status,
    sms: await standing('sms'),
    whatsapp: await standing('whatsapp'),
    openUntilMs: windowOpenUntilMs,
  };
};

describe('an inbound message', () => {
  it.each(['STOP', ' stop. ', 'Unsubscribe', 'QUIT'])(
    '%j withdraws the consent of the sender, who is unsubscribed',
    async (text) => {
      const from = somePhone();
      const id = await newContact(from);
      await receive({ from, text });
      expect(await stateOf(from, id)).toEqual({
        out: ['sms', 'whatsapp'],
        status: 'unsubscribed',
        sms: 'withdrawn',
        whatsapp: undefined,
        openUntilMs: undefined,
      });
      expect(await world.consents.list(account.ref, id)).toMatchObject([
        { channel: 'sms', status: 'withdrawn', source: 'keyword', text, by: 'recipient', at: iso(startMs) },
      ]);
    },
  );

  it('START gives consent, and makes the sender active again', async () => {
    const from = somePhone();
    const id = await newContact(from);
    await receive({ from });
    await receive({ from, text: 'Start', atMs: startMs + 1 });
    expect(await stateOf(from, id)).toMatchObject({ status: 'active', sms: 'active' });
  });

  it('START gives consent without an earlier STOP, and does not lift a quarantine', async () => {
    const from = somePhone();
    const id = await newContact(from);
    await world.contacts.setStatus(account.ref, id, 'quarantined', startMs);
    await receive({ from, text: 'START' });
    expect(await stateOf(from, id)).toMatchObject({ status: 'quarantined', sms: 'active' });
  });

  it.each(['Hello', 'HELP', 'please stop', ''])('%j on sms changes nothing', async (text) => {
    const from = somePhone();
    const id = await newContact(from);
    const before = await world.scan();
    await receive({ from, text });
    expect(await world.scan()).toEqual(before);
    expect(await stateOf(from, id)).toMatchObject({ status: 'active', sms: undefined });
  });

  it('on whatsapp opens the window, except STOP, which closes it', async () => {
    const from = somePhone();
    const id = await newContact(from);
    await receive({ from: from.slice(1), text: 'Hello', channel: 'whatsapp' });
    expect(await stateOf(from, id)).toEqual({
      out: [],
      status: 'active',
      sms: undefined,
      whatsapp: undefined,
      openUntilMs: startMs + dayMs,
    });
    await receive({ from, channel: 'whatsapp', atMs: startMs + 1 });
    expect(await stateOf(from, id)).toEqual({
      out: ['sms', 'whatsapp'],
      status: 'unsubscribed',
      sms: undefined,
      whatsapp: 'withdrawn',
      openUntilMs: startMs + 1,
    });
  });

  it('of an unknown sender opens and closes the window, opts the phone out and in, and writes nothing else', async () => {
    const from = somePhone();
    const before = (await world.scan()).length;
    for (const text of ['Hello', 'START', 'STOP']) await receive({ from, text, channel: 'whatsapp' });
    await receive({ from, text: 'STOP' });
    expect((await world.scan()).length).toBe(before + 2);
  });

  it.each(['Vodafone', '12345', '', '+88017000000000000'])('from %j is ignored', async (from) => {
    const before = await world.scan();
    await receive({ from, channel: 'whatsapp', text: 'Hello' });
    expect(await world.scan()).toEqual(before);
  });

  it('of a retired contact applies to the phone’s current contact', async () => {
    const from = somePhone();
    const first = await newContact(from);
    await world.contacts.retire(account.ref, first, startMs);
    const second = await newContact(from);
    await receive({ from });
    expect(await world.consents.list(account.ref, first)).toEqual([]);
    expect(await stateOf(from, second)).toMatchObject({ status: 'unsubscribed', sms: 'withdrawn' });
  });
});

describe('a START that arrives late', () => {
  const subscriber = async () => {
    const phone = somePhone();
    const id = newId(Date.now());
    const details = detailsOf({ phone, email: `${phone.slice(1)}@example.com` });
    await world.contacts.create(account.ref, { id, details }, startMs);
    return { phone, id };
  };
  const late = { text: 'START', atMs: startMs + 1_000 };
  /** The channels on which the contact is on the list of who is not to be written to. */
  const listed = async (phone: string) =>
    (await world.suppressions.list(account.ref, { limit: 200 }))
      .filter(({ address }) => address.includes(phone.slice(1)))
      .map(({ channel }) => channel)
      .sort();

  it.each(textChannels)('on %s does not lift an unsubscription since', async (channel) => {
    const { phone, id } = await subscriber();
    await world.contacts.change(account.ref, id, (before) => reacted(before, 'unsubscribed', startMs + 2_000));
    await receive({ from: phone, channel, ...late });
    expect(await stateOf(phone, id)).toMatchObject({ status: 'unsubscribed', [channel]: 'active' });
    expect(await listed(phone)).toEqual(['email', 'sms', 'whatsapp']);
  });

  it.each(textChannels)('after a STOP on %s leaves its sender on the list', async (channel) => {
    const { phone, id } = await subscriber();
    await receive({ from: phone, channel, atMs: startMs + 2_000 });
    await receive({ from: phone, ...late });
    expect(await stateOf(phone, id)).toMatchObject({ status: 'unsubscribed' });
    expect(await listed(phone)).toEqual(['email', 'sms', 'whatsapp']);
  });
});

describe('a message that its gateway repeats, and that says no time of its own', () => {
  const said = (text: string, second: number, id: string) => ({ text, atMs: startMs + second * 1_000, id });

  it.each([
    ['START', 'STOP', ['sms', 'whatsapp']],
    ['STOP', 'START', []],
  ])('%s counts once, for a phone without a contact too', async (first, then, out) => {
    const from = somePhone();
    for (const message of [said(first, 0, 'a'), said(then, 1, 'b'), said(first, 2, 'a')])
      await receive({ from, ...message });
    expect((await stateOf(from, newId(startMs))).out).toEqual(out);
  });

  it('counts once where the phone has come to another contact', async () => {
    const from = somePhone();
    const first = await newContact(from);
    for (const message of [said('STOP', 0, 'a'), said('START', 1, 'b')]) await receive({ from, ...message });
    await world.contacts.retire(account.ref, first, startMs);
    const second = await newContact(from);
    await receive({ from, ...said('STOP', 2, 'a') });
    expect(await stateOf(from, second)).toMatchObject({ out: [], status: 'active' });
  });
});

describe('a STOP that answers a text', () => {
  const sent = ['pickedUp', 'providerAccepted'] as const;

  /** A text to a phone that moved as told, by its id. */
  const textTo = async (
    to: string,
    second: number,
    moved: readonly Trigger[],
    { channel = 'sms', movedAt = second }: { readonly channel?: TextChannel; readonly movedAt?: number } = {},
  ) => {
    const atMs = startMs + second * 1_000;
    const contact = { phone: to };
    const message = newText({ channel, to }, newId(atMs), 'Hello', 'masked');
    const context = await world.sends.read(account.ref, { channel, contact });
    expect(await world.sends.write(account.ref, { message, contact, text: 'Hello' }, context, undefined)).toBe(
      'accepted',
    );
    for (const trigger of moved) await world.messages.move(account.ref, message, trigger, startMs + movedAt * 1_000);
    return message.id;
  };
  const statuses = (...ids: readonly string[]) =>
    Promise.all(ids.map(async (id) => (await world.messages.find(account.ref, id))?.status));

  it('moves the last one on its channel that had left, and no other', async () => {
    const from = somePhone();
    await newContact(from);
    const earlier = await textTo(from, 1, [...sent, 'deliveryConfirmed']);
    const answered = await textTo(from, 2, [...sent, 'deliveryConfirmed']);
    const failed = await textTo(from, 3, [...sent, 'deliveryFailed']);
    const waiting = await textTo(from, 4, []);
    const other = await textTo(from, 5, [...sent, 'read'], { channel: 'whatsapp' });
    const later = await textTo(from, 9, sent);
    await receive({ from, atMs: startMs + 6_000 });
    const all = [earlier, answered, failed, waiting, other, later];
    const after = ['delivered', 'unsubscribed', 'failed', 'queued', 'read', 'sent'];
    expect(await statuses(...all)).toEqual(after);
    await receive({ from, channel: 'whatsapp', atMs: startMs + 7_000 });
    expect(await statuses(...all)).toEqual(after.with(4, 'unsubscribed'));
  });

  it('moves the one that left last, which may have been accepted before others', async () => {
    const from = somePhone();
    await newContact(from);
    const scheduled = await textTo(from, 1, sent, { movedAt: 5 });
    const direct = await textTo(from, 2, sent);
    const later = await textTo(from, 3, sent, { movedAt: 9 });
    await receive({ from, atMs: startMs + 6_000 });
    expect(await statuses(scheduled, direct, later)).toEqual(['unsubscribed', 'sent', 'sent']);
  });

  it('moves none that was sent since, also when a gateway that says no time repeats it', async () => {
    const from = somePhone();
    await newContact(from);
    const answered = await textTo(from, 1, sent);
    await receive({ from, atMs: startMs + 2_000, id: 'a' });
    await receive({ from, text: 'START', atMs: startMs + 4_000, id: 'b' });
    const later = await textTo(from, 6, sent);
    await receive({ from, atMs: startMs + 8_000, id: 'a' });
    expect(await statuses(answered, later)).toEqual(['unsubscribed', 'sent']);
  });

  it('of a phone without a contact moves it too', async () => {
    const from = somePhone();
    const answered = await textTo(from, 1, sent);
    const contactId = await world.contacts.idByAddress(account.ref, { phone: from });
    await world.contacts.retire(account.ref, contactId ?? '', startMs);
    await receive({ from, atMs: startMs + 2_000 });
    expect(await statuses(answered)).toEqual(['unsubscribed']);
  });
});

const outcomes = fc.record({
  id: fc.uuid(),
  channel: fc.constantFrom('sms' as const, 'whatsapp' as const),
  text: fc.constantFrom('STOP', 'START', 'Hello'),
});

/** What a recipient's messages leave, when they are heard in the order in which they were written. */
const expectedOf = (messages: readonly Inbound[]) => {
  const last = (channel: string) =>
    messages.findLast((message) => message.channel === channel && message.text !== 'Hello')?.text;
  const consent = (channel: string) => ({ STOP: 'withdrawn', START: 'active' })[last(channel) ?? ''];
  const whatsapp = messages.findLast(({ channel }) => channel === 'whatsapp');
  const lastKeyword = messages.findLast(({ text }) => text !== 'Hello')?.text;
  return {
    out: textChannels.filter((channel) => lastKeyword === 'STOP' || last(channel) === 'STOP'),
    status: lastKeyword === 'STOP' ? 'unsubscribed' : 'active',
    sms: consent('sms'),
    whatsapp: consent('whatsapp'),
    openUntilMs: whatsapp && whatsapp.atMs + (whatsapp.text === 'STOP' ? 0 : dayMs),
  };
};

describe('messages that arrive in another order, and more than once', () => {
  const sequences = fc.uniqueArray(outcomes, { minLength: 1, maxLength: 6, selector: ({ id }) => id });

  it.each(['one after the other', 'all at the same time'])('leave what they leave in order: %s', async (way) => {
    await fc.assert(
      fc.asyncProperty(sequences, fc.infiniteStream(fc.nat()), async (sequence, order) => {
        const from = somePhone();
        const contactId = await newContact(from);
        const written = sequence.map((message, n) => ({ ...message, from, atMs: startMs + n * 1_000 }));
        const arriving = [...written, ...written.slice(0, 3)]
          .map((message) => ({ message, turn: order.next().value }))
          .sort((a, b) => a.turn - b.turn)
          .map(({ message }) => message);
        if (way === 'all at the same time') await Promise.all(arriving.map(receive));
        else for (const message of arriving) await receive(message);
        expect(await stateOf(from, contactId)).toEqual(expectedOf(written));
      }),
      { numRuns: modelRuns(6) },
    );
  });
});
