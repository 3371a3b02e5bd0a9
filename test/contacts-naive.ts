import * as fc from 'fast-check';

// A second implementation of the contact list, without an index: it checks every contact.

/** A contact as on the wire, with its score. */
export interface NaiveContact {
  readonly id: string;
  readonly email: string | null;
  readonly phone: string | null;
  readonly firstName: string | null;
  readonly lastName: string | null;
  readonly tags: readonly string[];
  readonly source: string | null;
  readonly status: string;
  readonly createdAt: string;
  readonly updatedAt: string;
  readonly score: number;
}

export type NaiveQuery = Readonly<Record<string, string>>;

const bare = (text: string) =>
  text
    .normalize('NFD')
    .replace(/[\u0300-\u036f]/g, '')
    .toLowerCase();

const isFoundBy = (piece: string, { email, phone, firstName, lastName }: NaiveContact): boolean =>
  email?.toLowerCase() === piece.toLowerCase() ||
  phone === piece ||
  phone === `+${piece}` ||
  bare(`${firstName ?? ''} ${lastName ?? ''}`)
    .split(' ')
    .some((word) => word.startsWith(bare(piece)));

const tests: Readonly<Record<string, (value: string, contact: NaiveContact) => boolean>> = {
  search: (value, contact) =>
    value
      .split(' ')
      .filter((piece) => piece !== '')
      .every((piece) => isFoundBy(piece, contact)),
  status: (value, { status }) => status.toUpperCase() === value,
  tags: (value, { tags }) => value.split(',').some((tag) => tags.includes(tag)),
  source: (value, { source }) => source === value,
  createdAfter: (value, { createdAt }) => createdAt >= value,
  createdBefore: (value, { createdAt }) => createdAt <= value,
  minEngagementScore: (value, { score }) => score >= Number(value),
};

const columns: Readonly<Record<string, (contact: NaiveContact) => string | number>> = {
  createdAt: ({ createdAt }) => createdAt,
  updatedAt: ({ updatedAt }) => updatedAt,
  engagementScore: ({ score }) => score,
};

/** The ids of the page and the number of all that match. */
export const naiveList = (contacts: readonly NaiveContact[], query: NaiveQuery) => {
  const column = columns[query['sortBy'] ?? 'createdAt'] ?? (() => 0);
  const direction = query['sortOrder'] === 'asc' ? 1 : -1;
  const [page, limit] = [Number(query['page'] ?? 1), Number(query['limit'] ?? 20)];
  const found = contacts
    .filter((contact) => Object.entries(query).every(([name, value]) => tests[name]?.(value, contact) ?? true))
    .toSorted((a, b) => {
      const [x, y] = [column(a), column(b)];
      return direction * (x === y ? (a.id < b.id ? -1 : 1) : x < y ? -1 : 1);
    });
  return { ids: found.slice((page - 1) * limit, page * limit).map(({ id }) => id), total: found.length };
};

// Few values of each field, so that matches are frequent.

const emails = [
  'ada@example.com',
  'Grace@example.com',
  'EDSGER@example.com',
  'barbara@example.com',
  'alan@example.com',
];
const phones = ['+8801700000001', '+8801700000002', '+8801700000003', '+8801700000004'];
const tags = ['a', 'b', 'with space'];
const sources = ['web', 'Web', 'api'];
const names = ['Ada', 'Adam Zoë', 'Élan', 'Grace Ada', ''];

const email = fc
  .tuple(fc.constantFrom(...emails), fc.boolean())
  .map(([address, isUpper]) => (isUpper ? address.toUpperCase() : address));
const phone = fc
  .tuple(fc.constantFrom(...phones), fc.boolean())
  .map(([number, isBare]) => (isBare ? number.slice(1) : number));

const others = {
  firstName: fc.option(fc.constantFrom(...names)),
  lastName: fc.option(fc.constantFrom(...names)),
  tags: fc.uniqueArray(fc.constantFrom(...tags), { maxLength: 3 }),
  source: fc.option(fc.constantFrom(...sources)),
};

/** The fields of a contact that a caller may send. */
export const sentContact = fc.record({ email, phone, ...others }, { requiredKeys: [] });

/** A contact with a unique email, so that its creation cannot conflict. */
export const newContacts = (count: number) =>
  fc
    .array(fc.record(others, { requiredKeys: [] }), { minLength: count, maxLength: count })
    .map((all) =>
      all.map((sent, n) => ({ ...sent, email: `Person${n}@example.com`, phone: `+88018000${10_000 + n}` })),
    );

const piece = fc.constantFrom('a', 'ad', 'ADA', 'adam', 'él', 'zo', 'gr', 'zoe', ...emails, ...phones, '8801700000001');
const some = <T>(values: fc.Arbitrary<T>) => fc.array(values, { minLength: 1, maxLength: 3 });

/** Up to three filters, with any order and page. `times` are times to filter by. */
export const listQuery = (times: readonly string[]): fc.Arbitrary<NaiveQuery> => {
  const person = fc.nat(30).map((n) => `person${n}@example.com`);
  const filters: Readonly<Record<string, fc.Arbitrary<string>>> = {
    search: some(fc.oneof(piece, person)).map((pieces) => pieces.join(' ')),
    status: fc.constantFrom('ACTIVE', 'UNSUBSCRIBED', 'BOUNCED', 'COMPLAINED', 'QUARANTINED'),
    tags: some(fc.constantFrom(...tags, 'none')).map((each) => each.join(',')),
    source: fc.constantFrom(...sources, 'none'),
    createdAfter: fc.constantFrom(...times),
    createdBefore: fc.constantFrom(...times),
    minEngagementScore: fc.constantFrom('-1', '0', '1', '50', '53', '57', '60', '100', '101'),
  };
  const page = {
    sortBy: fc.constantFrom(...Object.keys(columns)),
    sortOrder: fc.constantFrom('asc', 'desc'),
    page: fc.constantFrom('1', '2', '3'),
    limit: fc.constantFrom('1', '2', '5', '20', '100'),
  };
  return fc
    .subarray(Object.entries(filters), { maxLength: 3 })
    .chain((chosen) =>
      fc
        .tuple(fc.record(Object.fromEntries(chosen)), fc.record(page, { requiredKeys: [] }))
        .map(([one, other]) => ({ ...one, ...other })),
    );
};
