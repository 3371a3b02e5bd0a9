import { domainToASCII } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { newId } from '../../../shared/kit/id.ts';
import { type ContactCalls, contactCalls } from '../../../test/contacts-calls.ts';
import { startWorld, type TestAccount, type World } from '../../../test/world.ts';
import { createContact } from './handler.ts';

let world: World;
let calls: ContactCalls;
let account: TestAccount;

beforeAll(async () => {
  world = await startWorld();
  calls = contactCalls(world);
  account = await world.newAccount();
});
afterAll(() => world.close());

const create = (body: unknown, { key } = account) => calls.create(key, body);

let count = 0;
const anEmail = () => {
  count += 1;
  return `person${count}@example.com`;
};

/** What a field of a new contact is kept as, or the refusal. */
const kept = async (field: string, value: unknown) => {
  const { status, body } = await create({ email: anEmail(), [field]: value });
  return status === 201 ? body.data[field] : body.error.message;
};

describe('POST /contacts', () => {
  it('201 creates an active contact and gives back what was sent', async () => {
    const sent = {
      email: 'Ada.Lovelace@Example.com',
      phone: '+8801711111111',
      firstName: 'Ada',
      lastName: 'Lovelace',
      tags: ['vip', 'beta', 'vip'],
      source: 'webinar',
      customFields: { plan: { name: 'pro', seats: [1, null, 'x'] }, plan2: null },
    };
    const { status, body } = await create(sent);
    expect(status).toBe(201);
    const { id, createdAt, updatedAt, ...rest } = body.data;
    expect(rest).toEqual({ ...sent, tags: ['vip', 'beta'], status: 'active' });
    expect(updatedAt).toBe(createdAt);
    expect(new Date(createdAt).toISOString()).toBe(createdAt);
    expect((await calls.get(account.key, id)).body).toEqual(body);
  });

  it('201 takes an email alone or a phone alone; what is left out is null or empty', async () => {
    const nothing = { firstName: null, lastName: null, tags: [], source: null, customFields: {} };
    const [email, phone] = [anEmail(), '+8801722222222'];
    expect((await create({ email })).body.data).toMatchObject({ ...nothing, email, phone: null });
    expect((await create({ phone, email: null })).body.data).toMatchObject({ ...nothing, email: null, phone });
  });

  it('201 ignores unknown fields, a status among them', async () => {
    const { status, body } = await create({ email: anEmail(), status: 'bounced', id: 'mine', vip: true });
    expect(status).toBe(201);
    expect(body.data.status).toBe('active');
    expect(body.data.id).not.toBe('mine');
    expect(body.data).not.toHaveProperty('vip');
    expect(body.data).not.toHaveProperty('score');
  });

  it.each(['+1234567', '+123456789012345', '+8801733333333', '8801744444444'])(
    '201 takes the phone %s',
    async (phone) => {
      const { status, body } = await create({ phone });
      expect([status, body.data?.phone]).toEqual([201, phone.startsWith('+') ? phone : `+${phone}`]);
    },
  );

  it.each([
    '',
    '123456',
    '1234567890123456',
    '+0123456789',
    '01711111111',
    '+880 1711',
    'abc',
    '++8801711111111',
    7,
    {},
  ])('400 refuses the phone %j', async (phone) => {
    const { status, body } = await create({ email: anEmail(), phone });
    expect([status, body.error.code]).toEqual([400, 'invalid_request']);
    expect(body.error.message).toMatch(/^phone: /);
  });

  it.each(['', 'ada', 'ada@', '@example.com', 'ada@example', 'ada b@example.com', `${'a'.repeat(65)}@example.com`, 7])(
    '400 refuses the email %j',
    async (email) => {
      const { status, body } = await create({ email, phone: '+8801755555555' });
      expect([status, body.error.code]).toEqual([400, 'invalid_request']);
      expect(body.error.message).toMatch(/^email: /);
    },
  );

  it('400 says of an email with a name, as of the address of a message, that the name does not belong there', async () => {
    const { body } = await create({ email: 'Ada <ada@example.com>' });
    expect(body.error.message).toBe('email: must be an email address alone, without a name');
  });

  it('400 wants an email or a phone', async () => {
    for (const body of [{}, { firstName: 'Ada' }, { email: null, phone: null }]) {
      const { status, body: answer } = await create(body);
      expect([status, answer.error.code, answer.error.message]).toEqual([
        400,
        'invalid_request',
        'email or phone: at least one is required',
      ]);
    }
  });

  it('400 names everything that is wrong', async () => {
    const { body } = await create({ firstName: 1, lastName: 'x'.repeat(101), tags: [1], source: [] });
    expect(body.error.message.split('; ').sort()).toEqual([
      'email or phone: at least one is required',
      'firstName: must be a string',
      'lastName: must be at most 100 characters',
      'source: must be a string',
      'tags.0: must be a string',
    ]);
  });

  it.each([
    ['firstName', 100],
    ['lastName', 100],
    ['source', 500],
  ])('keeps %s up to its limit of characters', async (field, most) => {
    expect(await kept(field, '😀'.repeat(most))).toBe('😀'.repeat(most));
    expect(await kept(field, 'x'.repeat(most + 1))).toBe(`${field}: must be at most ${most} characters`);
    expect(await kept(field, '')).toBe('');
  });

  it('keeps up to 32 tags of up to 200 characters', async () => {
    const tags = Array.from({ length: 32 }, (_, n) => `${n}`.padStart(200, 'ট'));
    expect(await kept('tags', tags)).toEqual(tags);
    expect(await kept('tags', [...tags, 'x'])).toBe('tags: must have at most 32 items');
    expect(await kept('tags', ['x'.repeat(201)])).toBe('tags.0: must be at most 200 characters');
  });

  it('keeps a tag once, however often it was sent', async () => {
    expect(await kept('tags', ['b', 'a', 'b', 'a'])).toEqual(['b', 'a']);
  });

  it.each(['firstName', 'lastName'])('400 refuses control characters in %s', async (field) => {
    expect(await kept(field, 'a\u2028b')).toBe(`${field}: must not contain control characters (found U+2028)`);
  });

  it('400 refuses control characters in a tag', async () => {
    expect(await kept('tags', ['a\0'])).toBe('tags.0: must not contain control characters (found U+0000)');
  });

  it('keeps customFields exactly, up to 10 KB of JSON, and drops larger ones', async () => {
    const ofBytes = (bytes: number) => ({ a: 'é'.repeat((bytes - '{"a":""}'.length) / 2) });
    expect(await kept('customFields', ofBytes(10_240))).toEqual(ofBytes(10_240));
    expect(await kept('customFields', ofBytes(10_242))).toEqual({});
    expect(await kept('customFields', { a: 'x'.repeat(9_000_000) })).toEqual({});
    const odd = '{"__proto__":{"a":1},"constructor":[],"":null,"z":1,"10":1.0,"9":12345678901234567890,"a":1e400}';
    const { text } = await create(`{"email":"odd@example.com","customFields":${odd.replaceAll(':', ' :\n')}}`);
    expect(text).toContain(`"customFields":${odd}`);
    const long = `{"a":1${'0'.repeat(300)},"b":"${'\\u0061'.repeat(2_000)}"}`;
    const { text: shortened } = await create(`{"email":"long@example.com","customFields":${long}}`);
    expect(shortened).toContain(`"customFields":{"a":1e+300,"b":"${'a'.repeat(2_000)}"}`);
  });

  it.each([[[]], ['{}'], [1]])('400 refuses customFields %j', async (customFields) => {
    expect(await kept('customFields', customFields)).toBe('customFields: must be an object');
  });

  it('409 refuses an email that a contact holds, regardless of its case and the form of its domain', async () => {
    await create({ email: 'Grace@zürich.example' });
    const ascii = domainToASCII('zürich.example');
    for (const email of ['grace@zürich.example', 'GRACE@ZÜRICH.example', `grace@${ascii}`]) {
      const { status, body } = await create({ email, phone: '+8801766666666' });
      expect([status, body.error.code]).toEqual([409, 'conflict']);
      expect(body.error.message).toBe('email: another contact already uses it');
    }
    expect((await create({ phone: '+8801766666666' })).status).toBe(201);
  });

  it('409 refuses a phone that a contact holds, with and without its +', async () => {
    await create({ phone: '+8801777777777' });
    for (const phone of ['+8801777777777', '8801777777777']) {
      const { status, body } = await create({ email: anEmail(), phone });
      expect([status, body.error.code]).toEqual([409, 'conflict']);
      expect(body.error.message).toBe('phone: another contact already uses it');
    }
  });

  it('409 names both, though different contacts hold them, and changes neither', async () => {
    const [first, second] = [await create({ email: 'both@example.com' }), await create({ phone: '+8801788888888' })];
    const { body } = await create({ email: 'both@example.com', phone: '+8801788888888', firstName: 'New' });
    expect(body.error.message.split('; ').map((text: string) => text.split(':')[0])).toEqual(['email', 'phone']);
    for (const { body: before } of [first, second]) {
      expect((await calls.get(account.key, before.data.id)).body).toEqual(before);
    }
  });

  it('409 refuses the email of a retired contact; 201 takes its phone', async () => {
    const [email, phone] = [anEmail(), '+8801799999999'];
    const { body } = await create({ email, phone });
    await calls.retire(account.key, body.data.id);
    const again = await create({ email: email.toUpperCase() });
    expect([again.status, again.body.error.message]).toEqual([409, 'email: a retired contact already uses it']);
    expect((await create({ phone })).status).toBe(201);
  });

  it('201 takes what a contact of another account holds', async () => {
    const other = await world.newAccount();
    const sent = { email: 'shared@example.com', phone: '+8801700000001' };
    expect([(await create(sent)).status, (await create(sent, other)).status]).toEqual([201, 201]);
  });

  it('201 repeats under one Idempotency-Key without a second contact', async () => {
    const email = anEmail();
    const headers = { 'idempotency-key': 'once' };
    const first = await calls.create(account.key, { email }, headers);
    const second = await calls.create(account.key, { email }, headers);
    expect([second.status, second.text]).toEqual([201, first.text]);
  });

  it('201 finds the contact of a crashed attempt, unless the details are others', async () => {
    const nowMs = Date.now();
    const sent = { email: anEmail(), phone: '+8801700000002', firstName: 'Ada' };
    const input = { account: account.ref, newId: newId(nowMs), path: {}, query: {}, nowMs };
    const handle = createContact(world);
    const first = await handle({ ...input, body: sent });
    expect(await handle({ ...input, body: sent, nowMs: nowMs + 60_000 })).toEqual(first);
    const other = { email: anEmail() };
    expect(await handle({ ...input, body: other })).toMatchObject(other);
  });

  it.each([{ email: 'gone@example.com' }, { phone: '+8801700000003' }])(
    '201 repeats what a crashed attempt created with %o, and does not create it again when it has been retired since',
    async (sent) => {
      const own = await world.newAccount();
      const nowMs = Date.now();
      const input = { account: own.ref, newId: newId(nowMs), path: {}, query: {}, nowMs, body: sent };
      const handle = createContact(world);
      const first = await handle(input);
      await world.contacts.retire(own.ref, first.id, nowMs);
      expect(await handle(input)).toEqual(first);
      expect((await calls.list(own.key)).body.data).toEqual([]);
    },
  );

  it('201 creates a contact that a send finds', async () => {
    const { body } = await create({ email: 'Sent.To@Zürich.example' });
    const { holder } = await world.sends.read(account.ref, {
      channel: 'email',
      contact: { email: `sent.to@${domainToASCII('zürich.example')}` },
    });
    expect(holder).toEqual({ contactId: body.data.id, isRetired: false });
  });
});
