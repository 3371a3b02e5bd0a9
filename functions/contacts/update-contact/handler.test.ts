import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { changed, type KeptContact } from '../../../shared/contacts/contact.ts';
import { newId } from '../../../shared/kit/id.ts';
import { contactStore } from '../../../shared/table/contacts/contact-store.ts';
import { suppressionStore } from '../../../shared/table/contacts/suppression-store.ts';
import { itemKeys } from '../../../shared/table/keys.ts';
import { type ContactCalls, contactCalls } from '../../../test/contacts-calls.ts';
import { startWorld, type TestAccount, type World } from '../../../test/world.ts';

let world: World;
let calls: ContactCalls;
let account: TestAccount;

beforeAll(async () => {
  world = await startWorld();
  calls = contactCalls(world);
  account = await world.newAccount();
});
afterAll(() => world.close());

let count = 0;
const full = () => {
  count += 1;
  return {
    email: `ada${count}@example.com`,
    phone: `+88017000${String(count).padStart(5, '0')}`,
    firstName: 'Ada',
    lastName: 'Lovelace',
    tags: ['vip'],
    source: 'web',
    customFields: { plan: 'pro', nested: { a: 1 } },
  };
};

const created = async (sent: unknown) => (await calls.create(account.key, sent)).body.data;
const update = (id: string, body: unknown) => calls.update(account.key, id, body);
const total = async (query: Record<string, string>) =>
  (await calls.list(account.key, query)).body.pagination.total as number;

describe('PATCH /contacts/{id}', () => {
  it.each([
    ['email', 'Changed@example.com'],
    ['phone', '+8801888888888'],
    ['firstName', 'Eve'],
    ['lastName', ''],
    ['tags', ['a', 'b']],
    ['tags', []],
    ['source', 'import'],
    ['customFields', { other: [1] }],
    ['customFields', {}],
    ['email', null],
    ['phone', null],
    ['firstName', null],
    ['lastName', null],
    ['source', null],
  ])('200 changes %s to %j and nothing else', async (field, value) => {
    const before = await created(full());
    const { status, body } = await update(before.id, { [field]: value });
    expect(status).toBe(200);
    expect(body.data).toEqual({ ...before, [field]: value, updatedAt: body.data.updatedAt });
    expect(Date.parse(body.data.updatedAt)).toBeGreaterThan(Date.parse(before.updatedAt));
    expect((await calls.get(account.key, before.id)).body).toEqual(body);
  });

  it('200 for a change of nothing', async () => {
    const before = await created(full());
    for (const body of [{}, { unknown: 1 }, { tags: before.tags, email: before.email, phone: before.phone }]) {
      const answer = await update(before.id, body);
      expect(answer.body.data).toEqual({ ...before, updatedAt: answer.body.data.updatedAt });
    }
  });

  it('200 lets filters find the new values at once, and the old ones no more', async () => {
    const { id } = await created({ email: 'filters@example.com', firstName: 'Grace', tags: ['old'], source: 'old' });
    await update(id, { email: 'new-filters@example.com', firstName: 'Barbara', tags: ['new'], source: 'new' });
    const found = { search: 'barbara', tags: 'new', source: 'new' };
    for (const [name, value] of Object.entries(found))
      expect([name, await total({ [name]: value })]).toEqual([name, 1]);
    expect(await total({ search: 'new-filters@example.com' })).toBe(1);
    const lost = [{ search: 'grace' }, { tags: 'old' }, { source: 'old' }, { search: 'filters@example.com' }];
    for (const query of lost) expect([query, await total(query)]).toEqual([query, 0]);
  });

  it('200 frees the address that it replaces or clears', async () => {
    const sent = full();
    const { id } = await created(sent);
    await update(id, { email: 'moved@example.com', phone: null });
    expect((await calls.create(account.key, { email: sent.email, phone: sent.phone })).status).toBe(201);
    expect((await calls.create(account.key, { email: 'MOVED@example.com' })).status).toBe(409);
  });

  it('200 changes only the case of its own email', async () => {
    const sent = full();
    const { id } = await created(sent);
    const { status, body } = await update(id, { email: sent.email.toUpperCase() });
    expect([status, body.data.email]).toEqual([200, sent.email.toUpperCase()]);
    expect((await calls.create(account.key, { email: sent.email })).status).toBe(409);
  });

  it('409 refuses an address that another contact holds, and changes nothing', async () => {
    const [one, other] = [await created(full()), await created(full())];
    const cases = [
      [{ email: other.email.toUpperCase(), firstName: 'X' }, 'email: another contact already uses it'],
      [{ phone: other.phone.slice(1), tags: [] }, 'phone: another contact already uses it'],
    ] as const;
    for (const [body, message] of cases) {
      const { status, body: answer } = await update(one.id, body);
      expect([status, answer.error.code, answer.error.message]).toEqual([409, 'conflict', message]);
      expect((await calls.get(account.key, one.id)).body.data).toEqual(one);
    }
    await calls.retire(account.key, other.id);
    const { body } = await update(one.id, { email: other.email, phone: other.phone });
    expect(body.error.message).toBe('email: a retired contact already uses it');
    expect((await update(one.id, { phone: other.phone })).status).toBe(200);
  });

  it('400 refuses to clear the last address', async () => {
    const onlyEmail = await created({ email: 'only@example.com' });
    const onlyPhone = await created({ phone: '+8801999999999' });
    const both = await created(full());
    for (const [id, body] of [
      [onlyEmail.id, { email: null }],
      [onlyPhone.id, { phone: null }],
      [both.id, { email: null, phone: null }],
    ]) {
      const { status, body: answer } = await update(id, body);
      expect([status, answer.error.code]).toEqual([400, 'invalid_request']);
    }
    expect((await update(onlyEmail.id, { email: null, phone: '+8801999999998' })).status).toBe(200);
  });

  it('200 null clears tags and custom fields', async () => {
    const { id } = await created(full());
    const { status, body } = await update(id, { tags: null, customFields: null });
    expect([status, body.data]).toMatchObject([200, { tags: [], customFields: {} }]);
  });

  it('400 refuses what a new contact may not have', async () => {
    const { id } = await created(full());
    for (const [field, value] of [
      ['email', ''],
      ['email', 'x'],
      ['phone', '123'],
      ['firstName', 'x'.repeat(101)],
      ['tags', Array.from({ length: 33 }, (_, n) => `${n}`)],
    ] as const) {
      const { status, body } = await update(id, { [field]: value });
      expect([field, status, body.error.code]).toEqual([field, 400, 'invalid_request']);
      expect(body.error.message).toMatch(new RegExp(`^${field}: `));
    }
  });

  it('200 drops customFields over 10 KB, so the earlier ones stay', async () => {
    const before = await created(full());
    const { status, body } = await update(before.id, { customFields: { a: 'x'.repeat(10_240) }, firstName: 'Eve' });
    expect([status, body.data.firstName, body.data.customFields]).toEqual([200, 'Eve', before.customFields]);
  });

  it('200 changes everything at once, at the limits', async () => {
    const words = (letter: string) => Array.from({ length: 12 }, (_, n) => `${letter}${n}`).join(' ');
    const most = (letter: string) => ({
      firstName: words(letter),
      tags: Array.from({ length: 32 }, (_, n) => `${letter}${n}`),
      source: letter.repeat(500),
    });
    const { id } = await created({ ...most('a'), email: 'limits@example.com', phone: '+8801666666666' });
    for (const channel of ['sms', 'whatsapp']) await calls.setConsent(id, channel, { status: 'active' });
    const sent = { ...most('b'), email: 'new-limits@example.com', phone: '+8801666666667' };
    const { status, body } = await update(id, sent);
    expect(status).toBe(200);
    expect(body.data).toMatchObject(sent);
    expect([await total({ search: 'b11' }), await total({ tags: 'b31' }), await total({ tags: 'a0' })]).toEqual([
      1, 1, 0,
    ]);
  });

  it('200 changes everything at once, at the limits, of a contact with entries in the list of suppressions', async () => {
    const tags = (letter: string) => Array.from({ length: 32 }, (_, n) => `${letter}${n}`);
    const words = (letter: string) => tags(letter).slice(0, 12).join(' ');
    const addressed = (letter: string) => ({ email: `entries-${letter}@example.com`, phone: `+88016555555${letter}` });
    const most = (letter: string) => ({ firstName: words(letter), tags: tags(letter), source: letter });
    const { id } = await created({ ...most('1'), ...addressed('11') });
    const other = await created(addressed('33'));
    for (const channel of ['sms', 'whatsapp']) await calls.setConsent(id, channel, { status: 'active' });
    await calls.setStatus(id, 'unsubscribed');
    expect((await update(id, { ...most('2'), ...addressed('22'), email: other.email })).status).toBe(409);
    expect((await calls.get(account.key, id)).body.data).toMatchObject({ ...most('1'), ...addressed('11') });
    const sent = { ...most('2'), ...addressed('22') };
    const { status, body } = await update(id, sent);
    expect([status, body.data]).toMatchObject([200, sent]);
    expect([await total({ tags: '231' }), await total({ tags: '10' })]).toEqual([1, 0]);
    const suppressed = (await world.suppressions.list(account.ref, { limit: 10 })).map(({ address }) => address);
    expect(suppressed).toEqual(expect.arrayContaining([sent.email, sent.phone]));
  });

  describe('of a contact whose email is suppressed', () => {
    const suppressionOf = async ({ ref }: TestAccount, email: string) =>
      (await world.sends.read(ref, { channel: 'email', contact: { email } })).suppressed;
    const entriesOn = async (wanted: string, { ref }: TestAccount) =>
      (await world.suppressions.list(ref, { limit: 10 })).filter(({ channel }) => channel === wanted);
    const listed = async (account: TestAccount) =>
      (await entriesOn('email', account)).map(({ address, reason }) => `${address} ${reason}`).sort();
    const suppressed = async (status: string) => {
      const account = await world.newAccount();
      const sent = { email: 'Old@example.com', phone: '+8801555555555' };
      const { id } = (await calls.create(account.key, sent)).body.data;
      await calls.setStatus(id, status);
      const change = (body: object) => calls.update(account.key, id, body);
      return { account, id, change };
    };

    it.each(['bounced', 'complained', 'unsubscribed'])(
      '200 leaves the old email suppressed (%s), whatever becomes of the contact, until it is taken off the list',
      async (status) => {
        const { account, id, change } = await suppressed(status);
        const [before] = await entriesOn('email', account);
        const { body } = await change({ email: 'new@example.com' });
        expect(body.data.status).toBe(status);
        expect(await listed(account)).toEqual([`Old@example.com ${status}`, `new@example.com ${status}`].sort());
        expect(await world.suppressions.list(account.ref, { limit: 10 })).toContainEqual(before);
        await calls.setStatus(id, 'active');
        await calls.create(account.key, { email: 'old@example.com' });
        expect([
          await suppressionOf(account, 'old@example.com'),
          await suppressionOf(account, 'new@example.com'),
        ]).toEqual([status, undefined]);
        await world.suppressions.remove(account.ref, { channel: 'email', address: { email: 'OLD@example.com' } });
        expect(await listed(account)).toEqual([]);
      },
    );

    it('200 leaves an email suppressed that is cleared, and no phone', async () => {
      const { account, change } = await suppressed('unsubscribed');
      await change({ email: null });
      expect(await listed(account)).toEqual(['Old@example.com unsubscribed']);
      await change({ email: 'new@example.com', phone: null });
      expect(await entriesOn('sms', account)).toEqual([]);
    });

    it('200 suppresses no email anew that the account took off its list, and adds none for another letter case', async () => {
      const { account, change } = await suppressed('bounced');
      await change({ email: 'OLD@example.com' });
      expect(await listed(account)).toEqual(['Old@example.com bounced']);
      await world.suppressions.remove(account.ref, { channel: 'email', address: { email: 'old@example.com' } });
      await change({ email: 'new@example.com' });
      expect(await listed(account)).toEqual(['new@example.com bounced']);
    });

    const agreeing = (id: string, status: string, afterMs: number) =>
      contactCalls(world, () => Date.now() + afterMs).setConsent(id, 'email', { status });

    it('200 suppresses no other email of a contact that has agreed to email since it unsubscribed, until it withdraws that', async () => {
      const { account, id, change } = await suppressed('unsubscribed');
      await agreeing(id, 'active', 1_000);
      const phone = '+8801555555556';
      for (const sent of [{ email: 'new@example.com' }, { email: null }, { email: 'newer@example.com', phone }]) {
        expect((await change(sent)).body.data.status).toBe('unsubscribed');
        expect(await listed(account)).toEqual([]);
      }
      await agreeing(id, 'withdrawn', 2_000);
      expect(await listed(account)).toEqual(['newer@example.com unsubscribed']);
      await change({ email: 'newest@example.com' });
      expect(await listed(account)).toEqual(['newer@example.com unsubscribed', 'newest@example.com unsubscribed']);
    });

    it('200 suppresses no other email of such a contact of an older release, which does not say when it unsubscribed', async () => {
      const { account, id } = await suppressed('unsubscribed');
      const Key = itemKeys.contact(account.ref.id, id);
      const [UpdateExpression, ConditionExpression] = ['REMOVE unsubscribedAt, hasLeft', 'attribute_exists(PK)'];
      await world.table.update({ Key, UpdateExpression, ConditionExpression });
      await agreeing(id, 'active', 1_000);
      const later = contactCalls(world, () => Date.now() + 2_000);
      expect((await later.update(account.key, id, { email: 'new@example.com' })).status).toBe(200);
      expect(await listed(account)).toEqual([]);
    });

    it('200 suppresses the other email of a contact that agreed to email before it unsubscribed', async () => {
      const { account, id, change } = await suppressed('unsubscribed');
      await agreeing(id, 'active', -60_000);
      await change({ email: 'new@example.com' });
      expect(await listed(account)).toEqual(['Old@example.com unsubscribed', 'new@example.com unsubscribed']);
    });

    it.each([
      ['its email', {}],
      ['its email and phone', { phone: '+8801555555556' }],
    ])(
      '200 suppresses the other email of a contact that withdraws its consent while it changes %s',
      async (_, more) => {
        const { account, id } = await suppressed('unsubscribed');
        await agreeing(id, 'active', 1_000);
        let changes = 0;
        const transact: World['table']['transact'] = async (writes) => {
          changes += 1;
          if (changes === 1) await agreeing(id, 'withdrawn', 2_000);
          return world.table.transact(writes);
        };
        const contacts = contactStore({ ...world.table, transact }, world.vault);
        const to = (before: KeptContact) => changed(before, { email: 'new@example.com', ...more }, Date.now());
        await contacts.change(account.ref, id, to);
        expect(await listed(account)).toContain('new@example.com unsubscribed');
      },
    );

    it('takes an address off the list, also when its contact gets another email at that moment', async () => {
      const { account, change } = await suppressed('bounced');
      const getAll: World['table']['getAll'] = async (keys) => {
        const found = await world.table.getAll(keys);
        expect((await change({ email: 'new@example.com' })).status).toBe(200);
        return found;
      };
      const suppressions = suppressionStore({ ...world.table, getAll }, world.vault);
      const old = { channel: 'email', address: { email: 'old@example.com' } } as const;
      expect(await suppressions.remove(account.ref, old)).toBe(true);
      expect(await suppressionOf(account, 'old@example.com')).toBeUndefined();
    });

    it('200 leaves an email off the list that was taken off it while the contact got another one', async () => {
      const { account, id } = await suppressed('bounced');
      const address = { email: 'old@example.com' };
      let changes = 0;
      const transact: World['table']['transact'] = async (writes) => {
        changes += 1;
        if (changes === 1) await world.suppressions.remove(account.ref, { channel: 'email', address });
        return world.table.transact(writes);
      };
      const contacts = contactStore({ ...world.table, transact }, world.vault);
      const to = (before: KeptContact) => changed(before, { email: 'new@example.com' }, Date.now());
      await contacts.change(account.ref, id, to);
      expect(await suppressionOf(account, address.email)).toBeUndefined();
      expect(await listed(account)).toEqual(['new@example.com bounced']);
    });

    it('200 keeps the entry that the account made of the old email', async () => {
      const { account, change } = await suppressed('bounced');
      const entry = { id: newId(Date.now()), channel: 'email', address: { email: 'old@example.com' } } as const;
      await world.suppressions.add(account.ref, { ...entry, reason: 'manual' });
      await change({ email: 'new@example.com' });
      expect(await listed(account)).toEqual(['new@example.com bounced', 'old@example.com manual']);
    });
  });

  it('200 ends the consents to sms and whatsapp with the phone that they were given for, and no others', async () => {
    const { id } = await created(full());
    const { consents } = world;
    for (const channel of ['sms', 'whatsapp', 'email']) await calls.setConsent(id, channel, { status: 'active' });
    await calls.setConsent(id, 'whatsapp', { status: 'withdrawn', source: 'phone call' });
    const { body } = await update(id, { phone: '+8801777777777' });
    expect(await consents.standing(account.ref, id, 'sms')).toMatchObject({
      status: 'withdrawn',
      source: 'phone_changed',
      by: 'platform',
      at: body.data.updatedAt,
    });
    expect(await consents.standing(account.ref, id, 'whatsapp')).toMatchObject({ source: 'phone call' });
    expect(await consents.standing(account.ref, id, 'email')).toMatchObject({ status: 'active' });
    await update(id, { phone: null });
    expect(await consents.list(account.ref, id)).toHaveLength(5);
  });

  it('200 keeps the index true when many change one contact at once', async () => {
    const { id } = await created({ email: 'race@example.com', tags: ['t0'] });
    const answers = await Promise.all(
      Array.from({ length: 10 }, (_, n) =>
        update(id, n % 3 === 0 ? { firstName: `Name${n}z` } : { tags: [`t${n}`, 'all'], source: `s${n}` }),
      ),
    );
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200));
    const { data } = (await calls.get(account.key, id)).body;
    for (let n = 0; n < 10; n += 1) {
      expect(await total({ tags: `t${n}` })).toBe(data.tags.includes(`t${n}`) ? 1 : 0);
      expect(await total({ source: `s${n}` })).toBe(data.source === `s${n}` ? 1 : 0);
      expect(await total({ search: `name${n}z` })).toBe(data.firstName === `Name${n}z` ? 1 : 0);
    }
    const { body } = await calls.list(account.key, { sortBy: 'updatedAt', limit: '100' });
    expect(body.data.filter((each: { id: string }) => each.id === id)).toEqual([data]);
  });

  it('404 for an unknown, a retired and another account’s contact', async () => {
    const retired = await created(full());
    await calls.retire(account.key, retired.id);
    const other = await world.newAccount();
    const foreign = (await calls.create(other.key, full())).body.data;
    for (const id of [newId(Date.now()), 'x', retired.id, foreign.id]) {
      const { status, body } = await update(id, { firstName: 'Eve' });
      expect([status, body.error.code]).toEqual([404, 'contact_not_found']);
    }
    expect((await calls.get(other.key, foreign.id)).body.data).toEqual(foreign);
  });
});
