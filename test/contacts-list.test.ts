import * as fc from 'fast-check';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { contactStatuses, tensOf, withScore } from '../shared/contacts/contact.ts';
import { contactPages } from '../shared/table/contacts/contact-list.ts';
import { type ContactCalls, contactCalls } from './contacts-calls.ts';
import { listQuery, type NaiveContact, type NaiveQuery, naiveList, newContacts } from './contacts-naive.ts';
import { modelRuns } from './model-runs.ts';
import { startWorld, type World } from './world.ts';

// Compares lists of random contacts, with random filters and every order, with a full scan.

const startMs = Date.parse('2026-11-20T12:00:00.000Z');
const count = 30;
/** Four contacts share each creation time, so that orders by time have ties. */
const createdMs = (n: number) => startMs + Math.floor(n / 4) * 10;
const times = Array.from({ length: count }, (_, n) => new Date(createdMs(n) + (n % 4) - 1).toISOString());

let world: World;
let nowMs = startMs;

beforeAll(async () => {
  world = await startWorld();
});
afterAll(() => world.close());

/** Calls that load at most this many contacts before they use the index alone. */
const callsWith = (few: number): ContactCalls => {
  const list = contactPages(world.table, world.vault, { few });
  return contactCalls({ ...world, contacts: { ...world.contacts, list } }, () => nowMs);
};

type Kept = NaiveContact & { readonly listedScore: number };

interface Fate {
  readonly status: (typeof contactStatuses)[number];
  readonly score: number;
}

const fate: fc.Arbitrary<Fate> = fc.record({
  status: fc.constantFrom(...contactStatuses),
  score: fc.constantFrom(0, 0, 1, 4, 8, 10, 50, -50, -100),
});

const populate = async (calls: ContactCalls, sent: readonly object[], fates: readonly Fate[]) => {
  const account = await world.newAccount();
  const contacts: Kept[] = [];
  for (const [n, one] of sent.entries()) {
    nowMs = createdMs(n);
    const { id } = (await calls.create(account.key, one)).body.data;
    nowMs = startMs + 1_000 + (n % 7);
    const { status = 'active', score = 0 } = fates[n] ?? {};
    await world.contacts.setStatus(account.ref, id, status, nowMs);
    await world.contacts.change(account.ref, id, (before) => withScore(before, score));
    const kept = await world.contacts.find(account.ref, id);
    if (!kept) throw new Error('a contact is gone');
    contacts.push(kept);
  }
  return { key: account.key, contacts };
};

/** Whether a list is the rows of an index, in their order. */
const isWalked = ({ sortBy, sortOrder, page, limit, minEngagementScore, ...others }: NaiveQuery): boolean =>
  sortBy === 'engagementScore' && Object.keys(others).length === 0;

/**
 * Where more than a few have its tens, a contact counts with the place that it has in lists. If a few are left by that, they are looked at: each
 * counts with its score, too.
 */
const listOf = (contacts: readonly Kept[], query: NaiveQuery, few: number) => {
  const { minEngagementScore, sortBy = 'createdAt' } = query;
  const tens = minEngagementScore && { minEngagementScore: String(tensOf(Number(minEngagementScore))) };
  if (naiveList(contacts, { ...query, ...tens }).total <= few) return naiveList(contacts, query);
  const asPlaced = contacts.map((contact) => ({ ...contact, score: contact.listedScore }));
  const placed = naiveList(asPlaced, query);
  if (placed.total > few || sortBy === 'createdAt' || isWalked(query)) return placed;
  const left = new Set(naiveList(asPlaced, { ...query, page: '1', limit: String(count) }).ids);
  return naiveList(
    contacts.filter(({ id }) => left.has(id)),
    query,
  );
};

it('a list and its count equal a full scan for any filter', { timeout: 3_600_000 }, async () => {
  const queries = fc.array(listQuery(times), { minLength: 40, maxLength: 40 });
  const play = async (sent: readonly object[], fates: readonly Fate[], asked: readonly NaiveQuery[]) => {
    const { key, contacts } = await populate(callsWith(0), sent, fates);
    for (const few of [0, 3, 300]) {
      const calls = callsWith(few);
      for (const query of asked) {
        const { body } = await calls.list(key, query);
        const answer = { ids: body.data.map(({ id }: NaiveContact) => id), total: body.pagination.total };
        expect([few, query, answer]).toEqual([few, query, listOf(contacts, query, few)]);
      }
    }
  };
  const fates = fc.array(fate, { minLength: count, maxLength: count });
  await fc.assert(fc.asyncProperty(newContacts(count), fates, queries, play), {
    numRuns: Math.ceil(modelRuns(40) / 20),
    endOnFailure: true,
  });
});
