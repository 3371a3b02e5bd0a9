import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { detailsOf } from '../../../shared/contacts/contact.ts';
import { newId } from '../../../shared/kit/id.ts';
import { JsonText } from '../../../shared/kit/json-text.ts';
import { type ContactCalls, contactCalls } from '../../../test/contacts-calls.ts';
import { startWorld, type TestAccount, type World } from '../../../test/world.ts';
import { createContacts } from './handler.ts';

let world: World;
let calls: ContactCalls;
let account: TestAccount;

beforeAll(async () => {
  world = await startWorld();
  calls = contactCalls(world);
  account = await world.newAccount();
});
afterAll(() => world.close());

interface Result {
  readonly index: number;
  readonly status: string;
  readonly id?: string;
  readonly error?: string;
}

const createAll = async (contacts: unknown, { key } = account) => {
  const { status, body } = await calls.createAll(key, contacts);
  const results: readonly Result[] = body.data?.results ?? [];
  return { status, data: body.data, error: body.error, results };
};

describe('POST /contacts/bulk', () => {
  it('200 returns the result of every row in input order', async () => {
    await calls.create(account.key, { email: 'taken@example.com', phone: '+8801711111111' });
    const { status, data, results } = await createAll([
      { email: 'ada@example.com', firstName: 'Ada', tags: ['vip'], customFields: new JsonText('{"b":1.0,"1":1e400}') },
      { email: 'Taken@Example.com' },
      { email: 'nobody' },
      { phone: '8801711111111' },
      'ada@example.com',
      null,
      [],
      {},
      { email: 'ADA@example.com', phone: '+8801722222222' },
      { phone: '+8801722222222', firstName: 'x'.repeat(101) },
      { phone: '+8801722222222' },
      { phone: '8801722222222' },
    ]);
    expect(status).toBe(200);
    expect(data).toMatchObject({ total: 12, created: 2, duplicates: 4, errors: 6 });
    expect(results.map(({ index }) => index)).toEqual(results.map((_, n) => n));
    expect(results.map(({ error }) => error)).toEqual([
      undefined,
      'email: another contact already uses it',
      'email: must be an email address',
      'phone: another contact already uses it',
      'contact: must be an object',
      'contact: must be an object',
      'contact: must be an object',
      'email or phone: at least one is required',
      'email: another contact already uses it',
      'firstName: must be at most 100 characters',
      undefined,
      'phone: another contact already uses it',
    ]);
    for (const { status: row, id, error } of results) {
      expect([row, id !== undefined, error !== undefined]).toEqual([row, row === 'created', row !== 'created']);
    }
    const { body, text } = await calls.get(account.key, results[0]?.id ?? '');
    expect(text).toContain('"customFields":{"b":1.0,"1":1e400}');
    expect(body.data).toMatchObject({
      email: 'ada@example.com',
      status: 'active',
      source: null,
    });
  });

  it.each([[undefined], [null], [{}], ['x'], [[]]])('400 refuses the contacts %j', async (contacts) => {
    const { status, error } = await createAll(contacts);
    expect([status, error.code]).toEqual([400, 'invalid_request']);
    expect(error.message).toMatch(/^contacts: /);
  });

  it('200 creates 1,000 contacts in one call, 400 refuses 1,001', async () => {
    const other = await world.newAccount();
    const rows = Array.from({ length: 1_001 }, (_, n) => ({
      email: `person${n}@example.com`,
      phone: `+88018${String(n).padStart(8, '0')}`,
      firstName: 'Anna',
      lastName: `Karenina${n}`,
      tags: ['import'],
      source: 'file',
    }));
    expect((await createAll(rows, other)).error.message).toBe('contacts: must have at most 1000 items');
    const { data, results } = await createAll(rows.slice(1), other);
    expect(data).toMatchObject({ total: 1_000, created: 1_000, duplicates: 0, errors: 0 });
    const { body } = await calls.list(other.key, { sortOrder: 'asc', limit: '100', page: '10', tags: 'import' });
    expect(body.pagination).toEqual({ page: 10, limit: 100, total: 1_000, totalPages: 10 });
    expect(body.data.map(({ id }: Result) => id)).toEqual(results.slice(900).map(({ id }) => id));
    const { error } = await createAll(
      Array.from({ length: 1_001 }, () => 0),
      other,
    );
    expect(error.code).toBe('invalid_request');
  });

  it('200 answers within what Lambda returns when every row has more than a hundred faults', async () => {
    const tags = Array.from({ length: 110 }, () => 1);
    const { status, data, results } = await createAll(Array.from({ length: 1_000 }, () => ({ email: 'a@b.co', tags })));
    expect([status, results.length]).toEqual([200, 1_000]);
    expect(results[999]?.error).toMatch(/^tags\.0: must be a string; .*; tags\.99: must be a string; 10 more$/);
    expect(JSON.stringify(data).length).toBeLessThan(6_000_000);
  });

  it('200 keeps order among rows that share an address, through chains of them', async () => {
    const other = await world.newAccount();
    const { results } = await createAll(
      [
        { email: 'a@example.com', phone: '+8801700000001' },
        { email: 'b@example.com', phone: '+8801700000001' },
        { email: 'b@example.com', phone: '+8801700000002' },
        { email: 'c@example.com', phone: '+8801700000002' },
        { email: 'c@example.com', phone: '+8801700000003' },
        { email: 'a@example.com', phone: '+8801700000003' },
      ],
      other,
    );
    expect(results.map(({ status }) => status)).toEqual([
      'created',
      'duplicate',
      'created',
      'duplicate',
      'created',
      'duplicate',
    ]);
  });

  it('200 reports the same ids when it is tried again after it was cut off', async () => {
    const nowMs = Date.now();
    const contacts = Array.from({ length: 12 }, (_, n) => ({ email: `retry${n % 10}@example.com` }));
    const input = { account: account.ref, path: {}, query: {}, newId: newId(nowMs), nowMs };
    const details = contacts.map(({ email }) => ({
      details: detailsOf({ email }),
    }));
    const handle = createContacts(world);
    const first = await handle({ ...input, body: { contacts: details.slice(0, 5) } });
    const { results, created, duplicates } = await handle({ ...input, body: { contacts: details } });
    expect([created, duplicates]).toEqual([10, 2]);
    expect(results.slice(0, 5)).toEqual(first.results);
    expect(await handle({ ...input, body: { contacts: details } })).toEqual({
      total: 12,
      created,
      duplicates,
      errors: 0,
      results,
    });
    const changed = await handle({
      ...input,
      body: { contacts: [{ details: detailsOf({ email: 'o@example.com' }) }] },
    });
    expect(changed.results).toMatchObject([{ status: 'created' }]);
    const { id = '' } = changed.results[0] ?? {};
    expect((await world.contacts.find(account.ref, id))?.email).toBe('o@example.com');
  });

  it('200 repeats its answer under one Idempotency-Key', async () => {
    const headers = { 'idempotency-key': 'bulk' };
    const contacts = [{ email: 'once@example.com' }, { email: 'once@example.com' }];
    const first = await calls.createAll(account.key, contacts, headers);
    expect((await calls.createAll(account.key, contacts, headers)).text).toBe(first.text);
    expect(first.body.data).toMatchObject({ created: 1, duplicates: 1 });
  });
});
