import { type ContactStatus, detailsOf, type KeptContact, newContact } from '../../shared/contacts/contact.ts';
import { searchTerms } from '../../shared/contacts/search.ts';
import { newId } from '../../shared/kit/id.ts';
import { JsonText } from '../../shared/kit/json-text.ts';
import { contactItem, countKey, indexRows } from '../../shared/table/contacts/contact-items.ts';
import type { ListQuery } from '../../shared/table/contacts/contact-list.ts';
import type { Item } from '../../shared/table/table.ts';
import type { TestAccount, World } from '../world.ts';
import { loadRows } from './load-rows.ts';

const startMs = Date.parse('2026-01-01T00:00:00.000Z');
/** The number of contacts that each filter matches, independent of the account's size. */
const rare = 50;

/** The nth contact of an account of this size: `rare` of them, spread evenly, match the filters. */
const contactAt = (n: number, size: number): KeptContact => {
  const isRare = n % Math.floor(size / rare) === 0 && n < Math.floor(size / rare) * rare;
  const nowMs = startMs + n;
  const details = detailsOf({
    email: `person${n}@example.com`,
    firstName: isRare ? 'Zoë' : 'Anna',
    lastName: `Karenina${n % 100}`,
    tags: [isRare ? 'rare' : 'common'],
    source: isRare ? 'rare' : 'common',
    customFields: JsonText.of({ plan: 'pro', note: 'x'.repeat(200) }),
  });
  return { ...newContact(newId(nowMs), details, nowMs), status: isRare ? 'quarantined' : 'active' };
};

/** Fills an account with contacts as creation stores them, without their locks, and much faster. */
export const loadContacts = async (world: World, { ref }: TestAccount, size: number): Promise<void> => {
  const cipher = await world.vault.unlock(ref);
  const chunk = 5_000;
  for (let start = 0; start < size; start += chunk) {
    const contacts = Array.from({ length: Math.min(chunk, size - start) }, (_, n) => contactAt(start + n, size));
    loadRows(
      world,
      contacts.flatMap((contact): Item[] => [
        contactItem(ref.id, cipher, contact),
        ...indexRows(ref.id, cipher, contact).map((key) => ({ ...key })),
      ]),
    );
  }
  const counts: Partial<Record<ContactStatus, number>> = { active: size - rare, quarantined: rare };
  await world.table.put({ Item: { ...countKey(ref.id, newId(startMs)), ...counts } });
};

const everything: ListQuery = {
  filter: { terms: [], tags: [] },
  sortBy: 'createdAt',
  sortOrder: 'desc',
  offset: 0,
  limit: 20,
};
const filtered = (filter: Partial<ListQuery['filter']>): ListQuery => ({
  ...everything,
  filter: { ...everything.filter, ...filter },
});

/** Page 1 of 20, each filter matching 50 contacts. */
const questions: Readonly<Record<string, ListQuery>> = {
  unfiltered: everything,
  'sortBy=updatedAt': { ...everything, sortBy: 'updatedAt' },
  'sortBy=engagementScore': { ...everything, sortBy: 'engagementScore' },
  tags: filtered({ tags: ['rare'] }),
  source: filtered({ source: 'rare' }),
  status: filtered({ status: 'quarantined' }),
  search: filtered({ terms: searchTerms('zoe') }),
  'search and status=ACTIVE': filtered({ terms: searchTerms('zoe'), status: 'active' }),
  'tags and source of all others': filtered({ tags: ['rare'], source: 'common' }),
};

/** Page 1 of GET /contacts, by query. */
export const contactQuestions = (
  world: World,
  { ref }: TestAccount,
): Readonly<Record<string, () => Promise<unknown>>> =>
  Object.fromEntries(
    Object.entries(questions).map(([asked, query]) => [
      `GET /contacts, ${asked}`,
      () => world.contacts.list(ref, query),
    ]),
  );
