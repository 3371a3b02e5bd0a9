import { BatchWriteItemCommand } from '@aws-sdk/client-dynamodb';
import { marshall } from '@aws-sdk/util-dynamodb';
import { type ContactStatus, detailsOf, type KeptContact, newContact } from '../../shared/contacts/contact.ts';
import { searchTerms } from '../../shared/contacts/search.ts';
import { newId } from '../../shared/kit/id.ts';
import { contactItem, countKey, indexRows } from '../../shared/table/contacts/contact-items.ts';
import type { ListQuery } from '../../shared/table/contacts/contact-list.ts';
import type { Item } from '../../shared/table/table.ts';
import { countConsumption } from '../consumption.ts';
import { type TestAccount, tableSpec, type World } from '../world.ts';

const startMs = Date.parse('2026-01-01T00:00:00.000Z');
const mostWrittenPerCall = 25;
const callsAtOnce = 4;
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
    customFields: { plan: 'pro', note: 'x'.repeat(200) },
  });
  return { ...newContact(newId(nowMs), details, nowMs), status: isRare ? 'quarantined' : 'active' };
};

const write = async (world: World, items: readonly Item[]): Promise<void> => {
  let open = items.map((item) => ({ PutRequest: { Item: marshall(item) } }));
  while (open.length > 0) {
    const calls = Array.from({ length: callsAtOnce }, (_, n) =>
      open.slice(n * mostWrittenPerCall, (n + 1) * mostWrittenPerCall),
    );
    open = open.slice(callsAtOnce * mostWrittenPerCall);
    await Promise.all(
      calls
        .filter((requests) => requests.length > 0)
        .map((requests) =>
          world.client.send(new BatchWriteItemCommand({ RequestItems: { [tableSpec.name]: requests } })),
        ),
    );
  }
};

/** Fills an account with contacts as creation stores them, without their locks, and much faster. */
const loadContacts = async (world: World, { ref }: TestAccount, size: number): Promise<void> => {
  const cipher = await world.vault.unlock(ref);
  const chunk = 500;
  for (let start = 0; start < size; start += chunk) {
    const contacts = Array.from({ length: Math.min(chunk, size - start) }, (_, n) => contactAt(start + n, size));
    await write(
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

/** Capacity units of one page of contacts, by query and by the number of contacts in the account. */
export const benchContacts = async (world: World, sizes: readonly number[]) => {
  const consumption = countConsumption(world.client);
  const rows: Record<string, Record<string, number>> = {};
  for (const size of sizes) {
    const account = await world.newAccount();
    await loadContacts(world, account, size);
    for (const [name, query] of Object.entries(questions)) {
      const { units } = await consumption.of(() => world.contacts.list(account.ref, query));
      rows[name] = { ...rows[name], [size]: units };
    }
  }
  return rows;
};
