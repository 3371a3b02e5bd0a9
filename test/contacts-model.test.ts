import * as fc from 'fast-check';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { contactStatuses, withScore } from '../shared/contacts/contact.ts';
import { type ContactCalls, contactCalls } from './contacts-calls.ts';
import { listQuery, type NaiveContact, type NaiveQuery, naiveList, sentContact } from './contacts-naive.ts';
import { inFull, modelFaults, modelRuns } from './model-runs.ts';
import { startWorld, type TestAccount, type World } from './world.ts';

// Contacts under any sequence of calls, compared with a model: a list of contacts and a set of emails.

type Sent = { readonly [Field in keyof NaiveContact]?: NaiveContact[Field] | null };

interface Model {
  contacts: NaiveContact[];
  /** Emails that retired contacts keep, in lower case. */
  readonly kept: Set<string>;
}

interface Real {
  readonly calls: ContactCalls;
  readonly account: TestAccount;
}

type Command = fc.AsyncCommand<Model, Real>;

const startMs = Date.parse('2026-11-20T12:00:00.000Z');
const times = Array.from({ length: 12 }, (_, n) => new Date(startMs + n).toISOString());

let world: World;
let nowMs = startMs;

beforeAll(async () => {
  world = await startWorld(inFull ? { faults: modelFaults } : {});
});
afterAll(() => world.close());

const withPlus = (phone: string) => (phone.startsWith('+') ? phone : `+${phone}`);

/** The fields that a conflict names. */
const takenFields = ({ contacts, kept }: Model, { email, phone }: Sent, own?: string): string[] => {
  const others = contacts.filter(({ id }) => id !== own);
  const isEmailTaken =
    typeof email === 'string' &&
    (kept.has(email.toLowerCase()) || others.some((other) => other.email?.toLowerCase() === email.toLowerCase()));
  const isPhoneTaken = typeof phone === 'string' && others.some((other) => other.phone === withPlus(phone));
  return [...(isEmailTaken ? ['email'] : []), ...(isPhoneTaken ? ['phone'] : [])];
};

const fieldsIn = (message: string) => message.split('; ').map((part) => part.split(':')[0]);

const command = (name: string, input: unknown, run: Command['run'], check: Command['check'] = () => true): Command => ({
  check,
  run: async (model, real) => {
    nowMs += 1;
    await run(model, real);
  },
  toString: () => `${name}(${JSON.stringify(input)})`,
});

/** A command about one of the existing contacts. */
const about = (
  name: string,
  n: number,
  input: unknown,
  run: (contact: NaiveContact, model: Model, real: Real) => Promise<void>,
) =>
  command(
    name,
    [n, input],
    async (model, real) => {
      const contact = model.contacts[n % model.contacts.length];
      if (contact) await run(contact, model, real);
    },
    ({ contacts }) => contacts.length > 0,
  );

const replace = (model: Model, contact: NaiveContact) => {
  model.contacts = model.contacts.map((each) => (each.id === contact.id ? contact : each));
};

const create = (sent: Sent) =>
  command('create', sent, async (model, { calls, account }) => {
    const { status, body } = await calls.create(account.key, sent);
    const taken = takenFields(model, sent);
    if (!sent.email && !sent.phone) return expect(status).toBe(400);
    if (taken.length > 0) return expect([status, fieldsIn(body.error.message)]).toEqual([409, taken]);
    const phone = sent.phone ? withPlus(sent.phone) : null;
    expect([status, body.data]).toMatchObject([201, { ...sent, phone, status: 'active' }]);
    model.contacts.push({ ...body.data, score: 50 });
  });

const createAll = (rows: readonly Sent[]) =>
  command('createAll', rows, async (model, { calls, account }) => {
    const { body } = await calls.createAll(account.key, rows);
    for (const [n, sent] of rows.entries()) {
      const { status, id, error } = body.data.results[n];
      const taken = takenFields(model, sent);
      if (!sent.email && !sent.phone) expect(status).toBe('error');
      else if (taken.length > 0) expect([status, fieldsIn(error)]).toEqual(['duplicate', taken]);
      else {
        expect(status).toBe('created');
        model.contacts.push({ ...(await calls.get(account.key, id)).body.data, score: 50 });
      }
    }
  });

const update = (n: number, sent: Sent) =>
  about('update', n, sent, async (before, model, { calls, account }) => {
    const { status, body } = await calls.update(account.key, before.id, sent);
    const { email, phone } = { ...before, ...sent };
    const taken = takenFields(model, sent, before.id);
    if (email === null && phone === null) expect(status).toBe(400);
    else if (taken.length > 0) expect([status, fieldsIn(body.error.message)]).toEqual([409, taken]);
    else {
      const { updatedAt } = body.data;
      const after = { ...before, ...sent, phone: phone && withPlus(phone), updatedAt } as NaiveContact;
      expect([status, { ...body.data, score: after.score }]).toEqual([200, { ...after }]);
      expect(updatedAt > before.updatedAt).toBe(true);
      replace(model, after);
    }
  });

const retire = (n: number) =>
  about('retire', n, null, async ({ id, email }, model, { calls, account }) => {
    expect((await calls.retire(account.key, id)).status).toBe(204);
    expect((await calls.retire(account.key, id)).status).toBe(404);
    expect((await calls.get(account.key, id)).status).toBe(404);
    model.contacts = model.contacts.filter((contact) => contact.id !== id);
    if (email !== null) model.kept.add(email.toLowerCase());
  });

const setStatus = (n: number, status: string) =>
  about('setStatus', n, status, async (before, model, { calls }) => {
    const { body } = await calls.setStatus(before.id, status);
    replace(model, { ...before, ...body.data });
    expect(body.data.status).toBe(status);
  });

const addScore = (n: number, delta: number) =>
  about('addScore', n, delta, async (before, model, { account }) => {
    await world.contacts.change(account.ref, before.id, (kept) => withScore(kept, delta));
    replace(model, { ...before, score: Math.min(100, Math.max(0, before.score + delta)) });
  });

const list = (query: NaiveQuery) =>
  command('list', query, async ({ contacts }, { calls, account }) => {
    const { status, body } = await calls.list(account.key, query);
    const answer = { ids: body.data.map(({ id }: NaiveContact) => id), total: body.pagination.total };
    expect([status, answer]).toEqual([200, naiveList(contacts, query)]);
  });

const anyNumber = fc.nat(20);
const commands = fc.commands(
  [
    sentContact.map(create),
    sentContact.map(create),
    fc.array(sentContact, { minLength: 1, maxLength: 6 }).map(createAll),
    fc.tuple(anyNumber, sentContact).map(([n, sent]) => update(n, sent)),
    fc
      .tuple(
        anyNumber,
        fc.constantFrom<Sent>({ email: null }, { phone: null }, { firstName: null, source: null }, { tags: [] }),
      )
      .map(([n, sent]) => update(n, sent)),
    anyNumber.map(retire),
    fc.tuple(anyNumber, fc.constantFrom(...contactStatuses)).map(([n, status]) => setStatus(n, status)),
    fc.tuple(anyNumber, fc.constantFrom(-60, -1, 1, 10, 60)).map(([n, delta]) => addScore(n, delta)),
    listQuery(times).map(list),
    listQuery(times).map(list),
  ],
  { maxCommands: 24, size: '+1' },
);

/** Every contact equals the model's, and each total equals a recount. */
const checkAll = async ({ contacts }: Model, { calls, account }: Real) => {
  for (const { score: _, ...contact } of contacts) {
    expect((await calls.get(account.key, contact.id)).body.data).toEqual({ ...contact });
  }
  for (const status of [undefined, ...contactStatuses]) {
    const { body } = await calls.list(account.key, { limit: '1', ...(status && { status: status.toUpperCase() }) });
    const expected = contacts.filter((contact) => status === undefined || contact.status === status);
    expect([status, body.pagination.total]).toEqual([status, expected.length]);
  }
};

const played: { readonly account: TestAccount; readonly model: Model }[] = [];

it('addresses stay unique, totals exact and filters correct under any sequence', { timeout: 3_600_000 }, async () => {
  const play = async (sequence: Iterable<Command>) => {
    nowMs = startMs;
    const real: Real = { calls: contactCalls(world, () => nowMs), account: await world.newAccount() };
    const model: Model = { contacts: [], kept: new Set() };
    await fc.asyncModelRun(() => ({ model, real }), sequence);
    await checkAll(model, real);
    played.push({ account: real.account, model });
  };
  await fc.assert(fc.asyncProperty(commands, play), { numRuns: modelRuns(10), endOnFailure: true });
});

/** By status, update and source. */
const rowsOfLists = ({ source, createdAt, updatedAt }: NaiveContact): number => {
  if (source === null) return 2;
  return source === 'api' && updatedAt === createdAt ? 1 : 3;
};

it('index rows, locks and counts exist exactly for the existing contacts', async () => {
  const items = await world.scan();
  const wordsOf = ({ firstName, lastName }: NaiveContact) => `${firstName ?? ''} ${lastName ?? ''}`.split(' ');
  for (const { account, model } of played) {
    const ofKind = (kind: string) => items.filter(({ PK }) => String(PK).startsWith(`A#${account.ref.id}#${kind}`));
    const rows = model.contacts.map(
      (contact) => rowsOfLists(contact) + new Set(contact.tags).size + new Set(wordsOf(contact).filter(Boolean)).size,
    );
    const having = (field: 'email' | 'phone') => model.contacts.filter((contact) => contact[field] !== null).length;
    const counted = ofKind('CONTACTS').flatMap((shard) => contactStatuses.map((status) => Number(shard[status] ?? 0)));
    expect([
      ofKind('IX#').length,
      ofKind('EMAIL#').length,
      ofKind('PHONE#').length,
      counted.reduce((sum, n) => sum + n, 0),
    ]).toEqual([
      rows.reduce((sum, n) => sum + n, 0),
      having('email') + model.kept.size,
      having('phone'),
      model.contacts.length,
    ]);
  }
});
