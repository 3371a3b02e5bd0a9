import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { newId } from '../../../shared/kit/id.ts';
import { noConsent, noContact } from '../../../test/consent-refusals.ts';
import { type ContactCalls, contactCalls } from '../../../test/contacts-calls.ts';
import { openTexting, somePhone, type Texting } from './text-fixture.ts';

// A recipient who opted out gets no messages, regardless of what the account changes in its contacts.

let texting: Texting;
let contacts: ContactCalls;
beforeAll(async () => {
  texting = await openTexting();
  contacts = contactCalls(texting.world);
});
afterAll(() => texting.world.close());

type Reachable = Awaited<ReturnType<Texting['reachable']>>;
type Channel = 'sms' | 'whatsapp';

let lastMs = Date.now();
/** Each entry here is later than the one before. */
const tick = () => {
  lastMs = Math.max(Date.now(), lastMs + 1);
  return lastMs;
};

const say = ({ ref }: Pick<Reachable, 'ref'>, from: string, channel: Channel, text: string, atMs = tick()) =>
  texting.world.inboundReceiver.receive(ref, { channel, from, text, atMs, id: newId(atMs) });

const send = async ({ key }: Pick<Reachable, 'key'>, to: string, channel: Channel) => {
  const sent = { channel, to, text: 'Hi' };
  const { status, body } = await texting.send(sent, { key, clock: tick });
  return status === 201 ? 201 : `${status} ${body.error.message}`;
};

const withdrawn = (channel: Channel) =>
  `422 The contact has withdrawn its consent to ${channel}. A new consent to ${channel} lifts this.`;

const unsubscribed = (channel: Channel) => `422 The contact has unsubscribed. A new consent to ${channel} lifts this.`;

const consentTo = (id: string, channel: string, status = 'active') =>
  contactCalls(texting.world, tick).setConsent(id, channel, { status });

describe('PATCH /contacts/{id} cannot bypass', () => {
  it('a STOP: 422 for another contact that takes the phone', async () => {
    const one = await texting.reachable();
    const phone = somePhone();
    const other = await texting.newContact(one.ref, phone);
    await say(one, phone, 'whatsapp', 'Hello');
    await say(one, phone, 'sms', 'STOP');
    expect((await contacts.update(one.key, other, { phone: somePhone() })).status).toBe(200);
    expect((await contacts.update(one.key, one.contactId, { phone })).status).toBe(200);
    expect(await send(one, phone, 'sms')).toBe(withdrawn('sms'));
    expect(await send(one, phone, 'whatsapp')).toBe(withdrawn('whatsapp'));
  });

  it.each([
    ['another phone', () => ({ phone: somePhone() })],
    ['no phone, and then the same again', (phone: string) => ({ phone })],
  ])('that consent is for one phone: 422 after %s', async (_, to) => {
    const one = await texting.reachable();
    const next = to(one.phone);
    await contacts.update(one.key, one.contactId, { email: 'ada@example.com', phone: null });
    await contacts.update(one.key, one.contactId, next);
    expect(await send(one, next.phone, 'sms')).toBe(`422 ${noConsent}`);
    await consentTo(one.contactId, 'sms');
    expect(await send(one, next.phone, 'sms')).toBe(201);
  });

  it('that consent is for one phone: 422 where there was none yet when it was given', async () => {
    const { key, ref } = await texting.world.newAccount();
    const { id } = (await contacts.create(key, { email: 'ada@example.com' })).body.data;
    await consentTo(id, 'sms');
    const phone = somePhone();
    await contacts.update(key, id, { phone });
    expect(await send({ key }, phone, 'sms')).toBe(`422 ${noConsent}`);
    expect(await texting.world.consents.list(ref, id)).toMatchObject([
      { status: 'withdrawn', by: 'platform', source: 'phone_changed', channel: 'sms' },
      { status: 'active' },
    ]);
  });

  it('that consent is for one phone, also when it is given meanwhile, the first or once more: 422', async () => {
    const one = await texting.reachable();
    const silent = await texting.newContact(one.ref, somePhone());
    for (const id of [silent, one.contactId]) {
      const phone = somePhone();
      texting.beforeNextWrite(() => texting.consent(one.ref, id, { at: new Date(tick()).toISOString() }));
      await contacts.update(one.key, id, { phone });
      expect(await send(one, phone, 'sms')).toBe(`422 ${noConsent}`);
    }
  });

  it('201 keeps both consents through a change of everything else', async () => {
    const one = await texting.reachable();
    await say(one, one.phone, 'whatsapp', 'START');
    await contacts.update(one.key, one.contactId, { phone: one.phone.slice(1), firstName: 'Ada', tags: ['a'] });
    expect(await send(one, one.phone, 'sms')).toBe(201);
    expect(await send(one, one.phone, 'whatsapp')).toBe(201);
  });

  it('201 by whatsapp to the new phone once its holder has written', async () => {
    const one = await texting.reachable();
    await say(one, one.phone, 'whatsapp', 'START');
    const phone = somePhone();
    await contacts.update(one.key, one.contactId, { phone });
    expect(await send(one, phone, 'whatsapp')).toContain('The whatsapp window is closed');
    await say(one, phone, 'whatsapp', 'Hello');
    expect(await send(one, phone, 'whatsapp')).toBe(201);
  });
});

describe('DELETE /contacts/{id} cannot bypass', () => {
  it.each<[Channel, string]>([
    ['sms', withdrawn('sms')],
    ['whatsapp', `422 ${noConsent}`],
  ])(
    'a STOP by %s: 422, also for a contact made anew, until a START by whatsapp, which is no consent to sms',
    async (channel, bySms) => {
      const one = await texting.reachable();
      await say(one, one.phone, channel, 'STOP');
      await say(one, one.phone, 'whatsapp', 'ok?');
      expect((await contacts.retire(one.key, one.contactId)).status).toBe(204);
      expect(await send(one, one.phone, 'whatsapp')).toBe(withdrawn('whatsapp'));
      expect(await send(one, one.phone, 'sms')).toBe(withdrawn('sms'));
      await contacts.create(one.key, { phone: one.phone });
      expect(await send(one, one.phone, 'whatsapp')).toBe(withdrawn('whatsapp'));
      await say(one, one.phone, 'whatsapp', 'START');
      expect(await send(one, one.phone, 'whatsapp')).toBe(201);
      expect(await send(one, one.phone, 'sms')).toBe(bySms);
    },
  );

  it('what an operator withdrew: 422 on that channel', async () => {
    const one = await texting.reachable();
    await consentTo(one.contactId, 'whatsapp', 'withdrawn');
    await contacts.retire(one.key, one.contactId);
    expect(await send(one, one.phone, 'whatsapp')).toBe(withdrawn('whatsapp'));
    expect(await send(one, one.phone, 'sms')).toBe(`422 ${noContact}`);
  });
});

describe('STOP of a phone without a contact', () => {
  it('is remembered: 422 after “Hello”, “STOP”, “ok?”, as for a contact', async () => {
    const account = await texting.world.newAccount();
    const [stranger, known] = [somePhone(), somePhone()];
    await texting.newContact(account.ref, known);
    for (const from of [stranger, known]) {
      for (const text of ['Hello', 'STOP', 'ok?']) await say(account, from, 'whatsapp', text);
      expect(await send(account, from, 'whatsapp')).toMatch(/^422 The contact has (unsubscribed|withdrawn)/);
    }
    await say(account, stranger, 'whatsapp', 'START');
    expect(await send(account, stranger, 'whatsapp')).toBe(201);
  });

  it('counts in the order of writing, not of arrival', async () => {
    const account = await texting.world.newAccount();
    const phone = somePhone();
    const [stopMs, startMs, helloMs] = [tick(), tick(), tick()];
    await say(account, phone, 'whatsapp', 'Hello', helloMs);
    await say(account, phone, 'whatsapp', 'START', startMs);
    await say(account, phone, 'whatsapp', 'STOP', stopMs);
    expect(await send(account, phone, 'whatsapp')).toBe(201);
    await say(account, phone, 'sms', 'STOP', startMs);
    expect(await send(account, phone, 'whatsapp')).toBe(unsubscribed('whatsapp'));
  });

  it('comes while the first message is being accepted: 422, and leaves nothing', async () => {
    const account = await texting.world.newAccount();
    const phone = somePhone();
    await say(account, phone, 'whatsapp', 'Hello');
    texting.beforeNextWrite(() => say(account, phone, 'sms', 'STOP'));
    expect(await send(account, phone, 'whatsapp')).toBe(withdrawn('whatsapp'));
    expect(await texting.traces(account.ref)).toMatchObject({ messages: 0, contacts: 0 });
  });

  it('is of one account only', async () => {
    const [one, other] = [await texting.reachable(), await texting.reachable()];
    await say(one, other.phone, 'sms', 'STOP');
    expect(await send(other, other.phone, 'sms')).toBe(201);
  });
});

describe('a contact that stops and starts', () => {
  /** A contact that has got an email and unsubscribed by its one click. `mail`: sends it another. */
  const unsubscribedByClick = async () => {
    const one = await texting.reachable({ settings: { suppressions: 'enforced' } });
    const email = `${one.phone.slice(1)}@example.com`;
    await contacts.update(one.key, one.contactId, { email });
    const mail = async () =>
      (await texting.send({ channel: 'email', to: email, subject: 'Hi', text: 'Hi' }, { key: one.key })).status;
    expect(await mail()).toBe(201);
    const { page } = await texting.world.messages.list(one.ref, { channel: 'email' }, { limit: 1 });
    await texting.world.outcomeRecorder.optOut(one.ref, page[0]?.id ?? '', tick());
    return { one, mail };
  };

  it.each(['quarantined', 'bounced', 'complained'])('stays %s, and gets no messages in between', async (status) => {
    const one = await texting.reachable();
    await contacts.setStatus(one.contactId, status);
    const statusNow = async () => (await contacts.get(one.key, one.contactId)).body.data.status;
    await say(one, one.phone, 'sms', 'STOP');
    expect(await statusNow()).toBe(status);
    for (const channel of ['sms', 'whatsapp'] as const) expect(await send(one, one.phone, channel)).toContain('422');
    await say(one, one.phone, 'sms', 'START');
    expect(await statusNow()).toBe(status);
    expect(await send(one, one.phone, 'sms')).toBe(status === 'quarantined' ? '422 The contact is quarantined.' : 201);
  });

  it('is unsubscribed, then active: 422, then 201', async () => {
    const one = await texting.reachable();
    await say(one, one.phone, 'sms', 'STOP');
    expect((await contacts.get(one.key, one.contactId)).body.data.status).toBe('unsubscribed');
    expect(await send(one, one.phone, 'whatsapp')).toBe(unsubscribed('whatsapp'));
    await say(one, one.phone, 'sms', 'START');
    expect((await contacts.get(one.key, one.contactId)).body.data.status).toBe('active');
    for (const channel of ['sms', 'whatsapp'] as const) expect(await send(one, one.phone, channel)).toBe(201);
  });

  it('is reachable again with a later consent that an operator records, and not with an earlier one', async () => {
    const one = await texting.reachable();
    const beforeMs = tick();
    await say(one, one.phone, 'sms', 'STOP');
    await contacts.setStatus(one.contactId, 'active');
    await texting.consent(one.ref, one.contactId, { at: new Date(beforeMs).toISOString() });
    expect(await send(one, one.phone, 'sms')).toBe(withdrawn('sms'));
    expect((await consentTo(one.contactId, 'sms')).status).toBe(200);
    expect(await send(one, one.phone, 'sms')).toBe(201);
    expect(await send(one, one.phone, 'whatsapp')).toBe(withdrawn('whatsapp'));
  });

  it.each(['active', 'complained', 'bounced'])(
    'that unsubscribed by a link stays so, whatever its status is later, here %s, until it agrees again',
    async (status) => {
      const one = await texting.reachable();
      expect(await send(one, one.phone, 'sms')).toBe(201);
      const { page } = await texting.world.messages.list(one.ref, {}, { limit: 1 });
      const [message] = page;
      await texting.world.outcomeRecorder.optOut(one.ref, message?.id ?? '', tick());
      await contacts.setStatus(one.contactId, status);
      for (const channel of ['sms', 'whatsapp'] as const)
        expect(await send(one, one.phone, channel)).toBe(unsubscribed(channel));
      tick();
      await consentTo(one.contactId, 'sms');
      expect(await send(one, one.phone, 'sms')).toBe(201);
      expect(await send(one, one.phone, 'whatsapp')).toBe(unsubscribed('whatsapp'));
    },
  );

  it.each(['sms', 'whatsapp'] as const)(
    'that unsubscribed by one click gets texts again by a START on %s, and no email, which it did not ask for',
    async (channel) => {
      const { one, mail } = await unsubscribedByClick();
      for (const each of ['sms', 'whatsapp'] as const) expect(await send(one, one.phone, each)).toContain('422');

      await say(one, one.phone, channel, 'Yes');
      expect((await contacts.get(one.key, one.contactId)).body.data.status).toBe('unsubscribed');
      expect(await send(one, one.phone, channel)).toBe(201);
      expect(await send(one, one.phone, 'whatsapp')).toBe(201);
      expect(await mail()).toBe(422);

      await say(one, one.phone, channel, 'STOP');
      for (const each of ['sms', 'whatsapp'] as const) expect(await send(one, one.phone, each)).toContain('422');
      await say(one, one.phone, channel, 'START');
      expect(await send(one, one.phone, channel)).toBe(201);
      expect(await mail()).toBe(422);
      tick();
      await consentTo(one.contactId, 'email');
      expect(await mail()).toBe(201);
    },
  );

  it('that an operator made active after one click gets emails and texts again by the START after its STOP', async () => {
    const { one, mail } = await unsubscribedByClick();
    tick();
    await contacts.setStatus(one.contactId, 'active');
    expect(await mail()).toBe(201);
    await say(one, one.phone, 'sms', 'STOP');
    expect(await mail()).toBe(422);
    await contacts.setStatus(one.contactId, 'active');
    for (const each of ['sms', 'whatsapp'] as const) expect(await send(one, one.phone, each)).toContain('422');
    await contacts.setStatus(one.contactId, 'unsubscribed');
    await say(one, one.phone, 'sms', 'START');
    expect((await contacts.get(one.key, one.contactId)).body.data.status).toBe('active');
    for (const each of ['sms', 'whatsapp'] as const) expect(await send(one, one.phone, each)).toBe(201);
    expect(await mail()).toBe(201);
  });

  it('gets another phone while STOP is processed: the phone is opted out, the contact is not', async () => {
    const one = await texting.reachable();
    const phone = somePhone();
    texting.beforeNextWrite(() => contacts.update(one.key, one.contactId, { phone }));
    await say(one, one.phone, 'whatsapp', 'STOP');
    await say(one, one.phone, 'whatsapp', 'ok?');
    expect(await send(one, one.phone, 'whatsapp')).toBe(withdrawn('whatsapp'));
    expect((await contacts.get(one.key, one.contactId)).body.data).toMatchObject({ phone, status: 'active' });
    texting.beforeNextWrite(() => contacts.update(one.key, one.contactId, { phone: somePhone() }));
    await say(one, phone, 'sms', 'START');
    expect(await texting.world.consents.standing(one.ref, one.contactId, 'sms')).toMatchObject({ by: 'platform' });
  });
});
