import { type ContactStatus, contactStatuses } from './contact.ts';
import type { ContactFilter, SortColumn } from './contact-filter.ts';
import type { Term } from './search.ts';

/** What loading one contact costs, in index rows. */
export const indexRowsPerLoad = 40;

/** Up to this many contacts are loaded and looked at one by one. */
export const mostLoaded = 300;

/** Up to this many are loaded where that costs less than reading the rows of a filter or an order. They have up to 11 kB each. */
export const mostLoadedForRows = 3_000;

/**
 * So many rows of about 100 bytes take 13 seconds to read, because a partition gives 12 MB a second, and 8 more on the processor that comes with
 * 1,024 MB, of which they fill half: V8 keeps the sort key of each id that is cut from one.
 */
export const mostIndexRows = 1_500_000;

/** Index rows that can be read in one stretch: one row for each contact that has the value. */
export type IndexRows =
  | { readonly of: 'status'; readonly value: ContactStatus }
  | { readonly of: 'source'; readonly value: string }
  | { readonly of: 'tag'; readonly value: string }
  | { readonly of: 'wordStart'; readonly value: string }
  /** A contact stands where its score was when its tens last changed. */
  | { readonly of: 'scoreFrom'; readonly value: number }
  | { readonly of: 'update' };

/** The one contact that holds an address. */
export type Holder = { readonly of: 'email' | 'phone'; readonly value: string };

/** One filter, as rows: a contact passes when it is in all rows of any of the groups. */
export type Condition = readonly (readonly (IndexRows | Holder)[])[];

/**
 * How a list is answered. `walk`: these rows, none of which share a contact, are all of the answer and already in its order, so only
 * those up to the page are read. `gather`: the contacts that meet every condition are found first, the narrowest condition ahead.
 */
export type Plan =
  | {
      readonly kind: 'walk';
      readonly rows: readonly IndexRows[];
      /** The statuses whose counters add up to the total. Undefined: the rows are counted. */
      readonly counted: readonly ContactStatus[] | undefined;
      /** The answer is every contact of a time, in the order of the table itself. */
      readonly isTableOrder: boolean;
    }
  | { readonly kind: 'gather'; readonly conditions: readonly Condition[] };

const everyStatus: readonly IndexRows[] = contactStatuses.map((value) => ({ of: 'status', value }));

/** All contacts in the order of a column. */
export const everyone: Readonly<Record<SortColumn, readonly IndexRows[]>> = {
  createdAt: everyStatus,
  updatedAt: [{ of: 'update' }],
  engagementScore: [{ of: 'scoreFrom', value: 0 }],
};

/** What the rows of an index are in the order of. Those by creation can also be cut to a range of time. */
const orders: Readonly<Partial<Record<(IndexRows | Holder)['of'], SortColumn>>> = {
  status: 'createdAt',
  source: 'createdAt',
  tag: 'createdAt',
  update: 'updatedAt',
  scoreFrom: 'engagementScore',
};

const isInOrder = (rows: IndexRows | Holder, sortBy: SortColumn): rows is IndexRows => orders[rows.of] === sortBy;

const termCondition = ({ email, phone, words }: Term): Condition => [
  ...(email === undefined ? [] : [[{ of: 'email', value: email } as const]]),
  ...(phone === undefined ? [] : [[{ of: 'phone', value: phone } as const]]),
  ...(words.length === 0 ? [] : [words.map((value) => ({ of: 'wordStart', value }) as const)]),
];

/** The filters that have rows, by how few contacts they usually leave. */
const conditionsOf = ({ terms, tags, source, minScore = 0, status }: ContactFilter): Condition[] => [
  ...terms.map(termCondition),
  ...(tags.length === 0 ? [] : [tags.map((value) => [{ of: 'tag', value } as const])]),
  ...(source === undefined ? [] : [[[{ of: 'source', value: source } as const]]]),
  ...(minScore === 0 ? [] : [[[{ of: 'scoreFrom', value: minScore } as const]]]),
  ...(status === undefined ? [] : [[[{ of: 'status', value: status } as const]]]),
];

/** The only rows that a condition names, if they are the only ones. */
export const soleRows = (condition: Condition | undefined) => {
  const groups = condition?.flat() ?? [];
  return groups.length === 1 ? groups : [];
};

/** Decides how a list is answered, from its filter and order alone. */
export const planOf = (filter: ContactFilter, sortBy: SortColumn): Plan => {
  const isDated = filter.createdAfterMs !== undefined || filter.createdBeforeMs !== undefined;
  const conditions = conditionsOf(filter);
  const isUnfiltered = conditions.length === 0;
  const candidates = isUnfiltered ? everyone[sortBy] : conditions.length === 1 ? soleRows(conditions[0]) : [];
  const rows = candidates.filter((each) => isInOrder(each, sortBy));
  if (rows.length === 0 || (isDated && sortBy !== 'createdAt')) {
    return { kind: 'gather', conditions: isUnfiltered ? [everyStatus.map((each) => [each])] : conditions };
  }
  const statuses = isUnfiltered ? contactStatuses : rows.flatMap((each) => (each.of === 'status' ? [each.value] : []));
  return {
    kind: 'walk',
    rows,
    counted: isDated || statuses.length === 0 ? undefined : statuses,
    isTableOrder: isUnfiltered && sortBy === 'createdAt',
  };
};
