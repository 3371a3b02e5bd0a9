import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { modelRuns } from '../../../test/model-runs.ts';
import { startWorld, type TestAccount, type World } from '../../../test/world.ts';
import {
  type ConsentEntry,
  consentChannels,
  consentStatuses,
  keptKeywords,
  latestFirst,
  standing,
} from '../../compliance/consent.ts';
import { changed, detailsOf, withScore } from '../../contacts/contact.ts';
import { newId } from '../../kit/id.ts';
import { iso } from '../../kit/time.ts';
import { itemKeys } from '../keys.ts';

let world: World;
let account: TestAccount;
beforeAll(async () => {
  world = await startWorld();
  account = await world.newAccount();
});
afterAll(() => world.close());

const startMs = Date.parse('2026-11-20T12:00:00Z');
const someone = async () => {
  const id = newId(Date.now());
  await world.contacts.create(account.ref, { id, details: detailsOf({ email: `${id}@example.com` }) }, startMs);
  return id;
};
const consentEntry = (changes: Partial<ConsentEntry> = {}): ConsentEntry => ({
  id: newId(Date.now()),
  channel: 'sms',
  status: 'active',
  source: 'form',
  text: null,
  by: 'operator',
  at: iso(startMs),
  ...changes,
});

/** What a send reads. */
const head = async (contactId: string) => {
  const { sms, whatsapp, email } = (await world.table.get(itemKeys.consents(account.ref.id, contactId))) ?? {};
  return { sms, whatsapp, email };
};

const entries = fc.uniqueArray(
  fc.record({
    id: fc.uuid(),
    channel: fc.constantFrom(...consentChannels),
    status: fc.constantFrom(...consentStatuses),
    source: fc.constantFrom('form', 'keyword'),
    text: fc.option(fc.string({ unit: 'grapheme' })),
    by: fc.constantFrom('operator' as const, 'recipient' as const),
    at: fc.integer({ min: 0, max: 4 }).map((seconds) => iso(startMs + seconds * 1_000)),
  }),
  { minLength: 1, maxLength: 6, selector: ({ id }) => id },
);

describe('consents', () => {
  it('have the latest entry as current, a withdrawal first at the same time, in any order of arrival', async () => {
    await fc.assert(
      fc.asyncProperty(entries, fc.infiniteStream(fc.nat()), async (entered, order) => {
        const contactId = await someone();
        const arriving = [...entered, ...entered.slice(0, 2)]
          .map((entry) => ({ entry, turn: order.next().value }))
          .sort((a, b) => a.turn - b.turn);
        for (const { entry } of arriving) await world.consents.record(account.ref, contactId, entry);

        const expected = consentChannels.map((channel) =>
          standing(entered.filter((entry) => entry.channel === channel)),
        );
        const found = consentChannels.map((channel) => world.consents.standing(account.ref, contactId, channel));
        expect(await Promise.all(found)).toEqual(expected);
        const [sms, whatsapp, email] = expected.map((entry) => entry?.status);
        expect(await head(contactId)).toEqual({ sms, whatsapp, email });
        const history = await world.consents.list(account.ref, contactId);
        expect(history.toSorted((a, b) => (a.id < b.id ? -1 : 1))).toEqual(
          entered.toSorted((a, b) => (a.id < b.id ? -1 : 1)),
        );
        expect(history.map(({ at }) => at)).toEqual(
          entered
            .map(({ at }) => at)
            .sort()
            .reverse(),
        );
      }),
      { numRuns: modelRuns(8) },
    );
  });

  it('lose nothing when 8 are recorded concurrently, each of them twice', async () => {
    const contactId = await someone();
    const entered = Array.from({ length: 8 }, (_, n) =>
      consentEntry({ status: n % 2 ? 'active' : 'withdrawn', at: iso(startMs + n * 1_000), by: 'recipient' }),
    );
    await Promise.all([...entered, ...entered].map((entry) => world.consents.record(account.ref, contactId, entry)));
    expect(await world.consents.list(account.ref, contactId)).toEqual(entered.toReversed());
    expect((await head(contactId)).sms).toBe('active');
  });

  it('keep the first and the latest 50 keywords of a recipient on a channel, and all that operators recorded', async () => {
    const contactId = await someone();
    const given = consentEntry({ at: iso(startMs + 60_500) });
    const other = consentEntry({ channel: 'whatsapp', by: 'recipient', at: iso(startMs + 60_500) });
    for (const entry of [given, other]) await world.consents.record(account.ref, contactId, entry);
    const written = Array.from({ length: 2 * keptKeywords + 5 }, (_, n) =>
      consentEntry({ status: n % 2 ? 'withdrawn' : 'active', by: 'recipient', at: iso(startMs + n * 1_000) }),
    );
    for (const entry of written) await world.consents.record(account.ref, contactId, entry);

    const kept = [...written.slice(0, keptKeywords), ...written.slice(-keptKeywords - 1)];
    const history = await world.consents.list(account.ref, contactId);
    expect(history).toEqual(latestFirst([...kept, given, other]));
    expect(await world.consents.standing(account.ref, contactId, 'sms')).toEqual(written.at(-1));
    expect(await head(contactId)).toMatchObject({ sms: 'active', whatsapp: 'active' });
  });

  it('belong to one contact of one account', async () => {
    const contactId = await someone();
    await world.consents.record(account.ref, contactId, consentEntry());
    const other = await world.newAccount();
    expect(await world.consents.record(other.ref, contactId, consentEntry())).toBe(false);
    expect(await world.consents.list(other.ref, contactId)).toEqual([]);
    expect(await world.consents.standing(account.ref, await someone(), 'sms')).toBeUndefined();
    expect(await world.consents.standing(account.ref, contactId, 'email')).toBeUndefined();
  });

  it('change the contact in the same stroke, once for each entry', async () => {
    const contactId = await someone();
    const entered = [consentEntry(), consentEntry({ status: 'withdrawn' })];
    await Promise.all(
      [...entered, ...entered, ...entered].map((entry) =>
        world.consents.record(account.ref, contactId, entry, (before) => withScore(before, 5)),
      ),
    );
    expect((await world.contacts.find(account.ref, contactId))?.score).toBe(60);
  });

  it('leave their versions with the contact, by which a text checks one item, until it has another phone', async () => {
    const [phone, other] = ['+8801712345601', '+8801712345602'];
    const contactId = newId(Date.now());
    await world.contacts.create(account.ref, { id: contactId, details: detailsOf({ phone }) }, startMs);
    const versionsOf = async (to: string) =>
      (await world.sends.read(account.ref, { channel: 'sms', contact: { phone: to } })).holder?.texted?.consentVersions;
    expect(await versionsOf(phone)).toBeUndefined();
    await world.consents.record(account.ref, contactId, consentEntry());
    expect(await versionsOf(phone)).toEqual({ consents: 1, optOut: 1 });
    await world.consents.record(account.ref, contactId, consentEntry({ status: 'withdrawn', by: 'recipient' }));
    expect(await versionsOf(phone)).toEqual({ consents: 2, optOut: 2 });
    await world.contacts.change(account.ref, contactId, (before) => changed(before, { phone: other }, startMs));
    expect(await versionsOf(other)).toBeUndefined();
  });

  it('are not kept with a phone alone that a contact has', async () => {
    const phone = '+8801712345603';
    const stop = consentEntry({ status: 'withdrawn', by: 'recipient' });
    const id = newId(Date.now());
    await world.contacts.create(account.ref, { id, details: detailsOf({ phone }) }, startMs);
    expect(await world.consents.recordForPhone(account.ref, phone, stop)).toBe(false);
    expect((await world.sends.read(account.ref, { channel: 'sms', contact: { phone } })).optOut?.version).toBe(0);
    await world.contacts.retire(account.ref, id, startMs);
    expect(await world.consents.recordForPhone(account.ref, phone, stop)).toBe(true);
  });

  it('take nothing that is not about the contact after all, or of one that is retired', async () => {
    const contactId = await someone();
    expect(await world.consents.record(account.ref, contactId, consentEntry(), () => undefined)).toBe(false);
    await world.contacts.retire(account.ref, contactId, startMs);
    expect(await world.consents.record(account.ref, contactId, consentEntry())).toBe(false);
    expect(await world.consents.list(account.ref, contactId)).toEqual([]);
  });

  it('are stored without readable texts and provider ids', async () => {
    const id = 'wamid.HBgNODgwMTcwMDAwMDAwMA';
    const entry = consentEntry({ id, text: 'Umbrella', source: 'Lighthouse' });
    await world.consents.record(account.ref, await someone(), entry);
    const dump = (await world.scan())
      .flatMap((item) => Object.values(item))
      .map((value) => Buffer.from(value instanceof Uint8Array ? value : JSON.stringify(value)).toString('latin1'))
      .join('\n');
    for (const secret of ['Umbrella', 'Lighthouse', 'HBgNODgwMTcwMDAwMDAwMA']) expect(dump).not.toContain(secret);
  });
});
