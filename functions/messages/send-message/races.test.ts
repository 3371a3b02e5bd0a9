import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { withScore } from '../../../shared/contacts/contact.ts';
import { reacted } from '../../../shared/contacts/reaction.ts';
import { newId } from '../../../shared/kit/id.ts';
import { noContact } from '../../../test/consent-refusals.ts';
import { openTexting, somePhone, type Texting } from './text-fixture.ts';

// Concurrent sends, and sends concurrent with changes of their contact.

let texting: Texting;
beforeAll(async () => {
  texting = await openTexting();
});
afterAll(() => texting.world.close());

const many = 20;
const statusesOf = (answers: readonly { readonly status: number }[]) => {
  const count = (status: number) => answers.filter((answer) => answer.status === status).length;
  return { accepted: count(201), unfunded: count(402), blocked: count(422) };
};

describe('20 sends at the same time', () => {
  it('to one contact: exactly as many as the cap has slots', async () => {
    const frequencyCap = { max: 7, windowSeconds: 3_600 };
    const { ref, key, phone, contactId } = await texting.reachable({ settings: { frequencyCap } });
    const answers = await Promise.all(
      Array.from({ length: many }, (_, n) =>
        texting.send({ channel: n % 2 ? 'sms' : 'whatsapp', to: phone, text: 'Hi' }, { key }),
      ),
    );
    expect(statusesOf(answers)).toEqual({ accepted: 7, unfunded: 0, blocked: many - 7 });
    const accepted = answers.filter(({ status }) => status === 201).map(({ body }) => body.data.channel);
    expect((await texting.world.accounts.credits(ref.id))?.smsMasked).toBe(
      100 - accepted.filter((channel) => channel === 'sms').length,
    );
    expect(await texting.traces(ref)).toMatchObject({ messages: 7, contacts: 1 });
    expect(await texting.slots(ref.id, contactId)).toBe(7);
  });

  it('of two segments each: exactly as many as the credits cover', async () => {
    const frequencyCap = { max: 100, windowSeconds: 3_600 };
    const { ref, key, phone, contactId } = await texting.reachable({
      credits: { smsMasked: 15 },
      settings: { frequencyCap },
    });
    const answers = await Promise.all(
      Array.from({ length: many }, () => texting.send({ channel: 'sms', to: phone, text: 'x'.repeat(200) }, { key })),
    );
    expect(statusesOf(answers)).toEqual({ accepted: 7, unfunded: many - 7, blocked: 0 });
    expect((await texting.world.accounts.credits(ref.id))?.smsMasked).toBe(1);
    expect(await texting.traces(ref)).toMatchObject({ messages: 7 });
    expect(await texting.slots(ref.id, contactId)).toBe(7);
  });

  it('by whatsapp to a new recipient: one contact, and as many messages as the cap has slots', async () => {
    const { ref, key } = await texting.world.newAccount({
      settings: { frequencyCap: { max: 3, windowSeconds: 3_600 } },
    });
    const phone = somePhone();
    await texting.world.windows.open(ref, phone, Date.now());
    const answers = await Promise.all(
      Array.from({ length: many }, () => texting.send({ channel: 'whatsapp', to: phone, text: 'Hi' }, { key })),
    );
    expect(statusesOf(answers)).toEqual({ accepted: 3, unfunded: 0, blocked: many - 3 });
    expect(await texting.traces(ref)).toMatchObject({ messages: 3, contacts: 1 });
  });
});

describe('a send that has just been judged, when', () => {
  type Reachable = Awaited<ReturnType<Texting['reachable']>>;
  const stop = ({ ref, phone }: Reachable, channel: 'sms' | 'whatsapp') =>
    texting.world.inboundReceiver.receive(ref, {
      channel,
      from: phone,
      text: 'STOP',
      atMs: Date.now() + 1,
      id: newId(Date.now()),
    });

  it.each([
    [
      'the recipient says STOP',
      (account: Reachable) => stop(account, 'sms'),
      'The contact has unsubscribed. A new consent to sms lifts this.',
    ],
    [
      'consent is withdrawn',
      ({ ref, contactId }: Reachable) =>
        texting.consent(ref, contactId, { status: 'withdrawn', at: '2999-01-01T00:00:00.000Z' }),
      'The contact has withdrawn its consent to sms. A new consent to sms lifts this.',
    ],
    [
      'the contact is quarantined',
      ({ ref, contactId }: Reachable) => texting.world.contacts.setStatus(ref, contactId, 'quarantined', Date.now()),
      'The contact is quarantined.',
    ],
    [
      'the contact is retired',
      ({ ref, contactId }: Reachable) => texting.world.contacts.retire(ref, contactId, Date.now()),
      noContact,
    ],
    [
      'the contact gets another phone',
      ({ ref, contactId }: Reachable) =>
        texting.world.contacts.change(ref, contactId, (before) => ({
          ...before,
          phone: somePhone(),
          updatedAt: new Date(Date.parse(before.updatedAt) + 1).toISOString(),
        })),
      noContact,
    ],
    [
      'another send takes the last slot',
      ({ key, phone }: Reachable) => texting.send({ channel: 'whatsapp', to: phone, text: 'Hi' }, { key }),
      expect.stringContaining('The frequency cap for this contact is reached'),
    ],
  ])('%s: 422', async (_, act, message) => {
    const account = await texting.reachable({ settings: { frequencyCap: { max: 1, windowSeconds: 3_600 } } });
    texting.beforeNextWrite(() => act(account));
    const { status, body } = await texting.send(
      { channel: 'sms', to: account.phone, text: 'Hi' },
      { key: account.key },
    );
    expect([status, body.error?.message]).toEqual([422, message]);
    expect((await texting.world.accounts.credits(account.ref.id))?.smsMasked).toBe(100);
  });

  it('the recipient unsubscribes by email, once more after it has agreed to sms: 422', async () => {
    const { world } = texting;
    const { ref, key, phone, contactId } = await texting.reachable();
    const unsubscribe = (atMs: number) =>
      world.contacts.change(ref, contactId, (before) => reacted(before, 'unsubscribed', atMs));
    await unsubscribe(Date.parse('2020-01-01T00:00:00.000Z'));
    const send = () => texting.send({ channel: 'sms', to: phone, text: 'Hi' }, { key });
    expect((await send()).status).toBe(201);
    texting.beforeNextWrite(() => unsubscribe(Date.now()));
    const { status, body } = await send();
    expect([status, body.error?.message]).toEqual([
      422,
      'The contact has unsubscribed. A new consent to sms lifts this.',
    ]);
  });

  it('the recipient withdraws its first word on whatsapp: 422', async () => {
    const account = await texting.reachable();
    texting.beforeNextWrite(() => stop(account, 'whatsapp'));
    const sent = { channel: 'whatsapp', to: account.phone, text: 'Hi' };
    expect((await texting.send(sent, { key: account.key })).status).toBe(422);
  });

  it('another request creates the contact: 201, to that contact', async () => {
    const { ref, key } = await texting.world.newAccount();
    const phone = somePhone();
    await texting.world.windows.open(ref, phone, Date.now());
    let contactId = '';
    texting.beforeNextWrite(async () => {
      contactId = await texting.newContact(ref, phone);
    });
    const { body } = await texting.send({ channel: 'whatsapp', to: phone, text: 'Hi' }, { key });
    expect((await texting.world.messages.find(ref, body.data.id))?.contactId).toBe(contactId);
  });

  it('the contact’s score or name changes: 201', async () => {
    const { world } = texting;
    const { ref, key, phone, contactId } = await texting.reachable();
    const send = async () => (await texting.send({ channel: 'sms', to: phone, text: 'Hi' }, { key })).status;
    texting.beforeNextWrite(() => world.contacts.change(ref, contactId, (before) => withScore(before, 5)));
    expect(await send()).toBe(201);
    texting.beforeNextWrite(() =>
      world.contacts.change(ref, contactId, (before) => ({
        ...before,
        firstName: 'Ada',
        updatedAt: new Date(Date.parse(before.updatedAt) + 1).toISOString(),
      })),
    );
    expect(await send()).toBe(201);
    expect(await texting.traces(ref)).toMatchObject({ messages: 2 });
  });
});
