import { contactStatuses, highestScore, type KeptContact, tensOf } from '../../contacts/contact.ts';
import { type ContactFilter, matches, type SortColumn } from '../../contacts/contact-filter.ts';
import {
  type Condition,
  everyone,
  indexRowsPerLoad,
  mostIndexRows,
  mostLoaded,
  mostLoadedForRows,
  type Plan,
  planOf,
  soleRows,
} from '../../contacts/list-plan.ts';
import type { AccountRef } from '../../kit/account-ref.ts';
import type { Vault } from '../../kit/cipher.ts';
import { firstIdAt, lastIdAt } from '../../kit/id.ts';
import { idIn, itemKeys, slimKeys } from '../keys.ts';
import type { Table } from '../table.ts';
import { type ContactRows, contactRows } from './contact-rows.ts';

export interface ListQuery {
  readonly filter: ContactFilter;
  readonly sortBy: SortColumn;
  readonly sortOrder: 'asc' | 'desc';
  /** How many contacts of the answer come before the page. */
  readonly offset: number;
  readonly limit: number;
}

export interface ListPage {
  readonly contacts: KeptContact[];
  readonly total: number;
}

/** A contact that is loaded by its id costs about what six cost that are read in a row: up to this page, all before it are read too. */
const lastPageInRow = 6;

const sum = (numbers: readonly number[]): number => numbers.reduce((total, number) => total + number, 0);

const pageOf = <T>(all: readonly T[], { offset, limit }: ListQuery): T[] => all.slice(offset, offset + limit);

/** The sort keys in the asked order. They end in ids, so ties are in the order of those. */
const ordered = (sortKeys: readonly string[], { sortOrder }: ListQuery): string[] => {
  const ascending = sortKeys.toSorted((a, b) => (a < b ? -1 : 1));
  return sortOrder === 'asc' ? ascending : ascending.reverse();
};

/** Where a contact stands in each order: its sort key in the index that has this order. */
const sortKeyOf: Readonly<Record<SortColumn, (contact: KeptContact) => string>> = {
  createdAt: ({ id }) => id,
  updatedAt: ({ id, updatedAt }) => itemKeys.contactByUpdate('', updatedAt, id).SK,
  engagementScore: ({ id, score }) => slimKeys.contact('', score, id).GSI2SK,
};

/** One sort key of each contact: one that changes meanwhile may be read in two places, and in its new one later. */
const eachOnce = (sortKeys: readonly string[]): string[] => [
  ...new Map(sortKeys.map((sortKey) => [idIn(sortKey), sortKey])).values(),
];

/** The contacts of a page. One that has changed since its row was read, or by the release before, which knows fewer rows, may not fit any more. */
const loadPage = async (rows: ContactRows, sortKeys: readonly string[], query: ListQuery): Promise<KeptContact[]> => {
  const page = await rows.load(pageOf(ordered(sortKeys, query), query).map(idIn));
  return page.filter((contact) => matches(contact, query.filter));
};

/** The rows are the answer: counts them, then reads them up to the page. */
const walk = async (rows: ContactRows, plan: Extract<Plan, { kind: 'walk' }>, query: ListQuery): Promise<ListPage> => {
  const newestFirst = query.sortOrder === 'desc';
  const total = plan.counted ? await rows.counted(plan.counted) : sum(await Promise.all(plan.rows.map(rows.count)));
  if (query.offset >= total) return { contacts: [], total };
  if (plan.isTableOrder && query.offset < lastPageInRow * query.limit) {
    return { contacts: await rows.inRow({ newestFirst, offset: query.offset, limit: query.limit }), total };
  }
  const page = { newestFirst, limit: query.offset + query.limit };
  const sortKeys = await Promise.all(plan.rows.map((each) => rows.sortKeys(each, page)));
  return { contacts: await loadPage(rows, eachOnce(sortKeys.flat()), query), total };
};

interface Found {
  readonly ids: ReadonlySet<string>;
  /** Whether they meet every condition; if not, they are loaded. */
  readonly isExact: boolean;
}

/** Whether it costs less to load these contacts than to read so many rows of an index. */
const isLoadedForLess = async ({ size }: ReadonlySet<string>, rowsToRead: () => Promise<number>): Promise<boolean> =>
  size <= mostLoadedForRows && size * indexRowsPerLoad < (await rowsToRead());

const allContacts = (rows: ContactRows) => () => rows.counted(contactStatuses);

/** How many rows a condition may take, where the account's counters know it: others are taken for narrow. */
const breadthOf = (rows: ContactRows, condition: Condition) => async (): Promise<number> => {
  const [sole] = soleRows(condition);
  if (sole?.of === 'status') return rows.counted([sole.value]);
  return sole?.of === 'scoreFrom' ? rows.counted(contactStatuses) : 0;
};

/** Reads condition after condition until few contacts are left, or loading them costs less than the next: a narrow filter spares the reading of wide ones. */
const narrow = async (
  rows: ContactRows,
  [first = [], ...others]: readonly Condition[],
  few: number,
): Promise<Found> => {
  let ids = await rows.idsMeeting(first);
  for (const condition of others) {
    if (ids.size <= few || (await isLoadedForLess(ids, breadthOf(rows, condition)))) return { ids, isExact: false };
    const before = ids;
    ids = await rows.idsMeeting(condition, (id) => before.has(id));
  }
  return { ids, isExact: true };
};

/** A page of the answer, or of what is in it of a few contacts, which are loaded and looked at one by one. */
const pageOfFound = async (
  rows: ContactRows,
  { ids, isExact }: Found,
  query: ListQuery,
  few: number,
): Promise<ListPage> => {
  const isById = query.sortBy === 'createdAt';
  if (!isExact || (!isById && (ids.size <= few || (await isLoadedForLess(ids, allContacts(rows)))))) {
    return lookThrough(await rows.load([...ids]), query);
  }
  const sortKeys = isById ? [...ids] : await sortKeysOf(rows, query.sortBy, ids);
  return { contacts: await loadPage(rows, sortKeys, query), total: ids.size };
};

const lookThrough = (candidates: readonly KeptContact[], query: ListQuery): ListPage => {
  const found = candidates.filter((contact) => matches(contact, query.filter));
  const bySortKey = new Map(found.map((contact) => [sortKeyOf[query.sortBy](contact), contact]));
  const page = pageOf(ordered([...bySortKey.keys()], query), query);
  return { contacts: page.flatMap((sortKey) => bySortKey.get(sortKey) ?? []), total: found.length };
};

/** Where these contacts stand in the order of a column. */
const sortKeysOf = async (rows: ContactRows, sortBy: SortColumn, ids: ReadonlySet<string>): Promise<string[]> => {
  const wanted = { newestFirst: false, isWanted: (id: string) => ids.has(id) };
  return eachOnce((await Promise.all(everyone[sortBy].map((each) => rows.sortKeys(each, wanted)))).flat());
};

/** Whether the answer depends on the last digits of scores: the index knows the tens, and where each contact stood when its tens last changed. */
const needsDigits = ({ filter: { minScore = 0 }, sortBy }: ListQuery): boolean =>
  minScore !== tensOf(minScore) || sortBy === 'engagementScore';

/** The contacts that a plan finds, or a few among which they are. Of a walk, no more are read than show that they are not few. */
const foundBy = async (rows: ContactRows, plan: Plan, few: number): Promise<Found> => {
  if (plan.kind === 'gather') return narrow(rows, plan.conditions, few);
  const first = { newestFirst: false, limit: few + 1 };
  const sortKeys = await Promise.all(plan.rows.map((each) => rows.sortKeys(each, first)));
  return { ids: new Set(sortKeys.flat().map(idIn)), isExact: false };
};

/** Of contacts that have the tens of a score, those that have the score. */
const withDigits = async (rows: ContactRows, found: Found, minScore: number): Promise<Found> => {
  const { ids, isExact } = found;
  if (!isExact || minScore === tensOf(minScore)) return found;
  if (await isLoadedForLess(ids, allContacts(rows))) return { ids, isExact: false };
  const condition = [[{ of: 'scoreFrom', value: minScore } as const]];
  return { ids: await rows.idsMeeting(condition, (id) => ids.has(id)), isExact: true };
};

/**
 * One page of an account's contacts with the number of all that pass the filter. `few`: how many may be loaded to be looked at; `most`: how many
 * rows of the index a request may read.
 */
export const contactPages =
  (
    table: Table,
    vault: Vault,
    { few = mostLoaded, most = mostIndexRows }: { readonly few?: number; readonly most?: number } = {},
  ) =>
  async (account: AccountRef, query: ListQuery): Promise<ListPage> => {
    const { createdAfterMs = 0, createdBeforeMs = Number.MAX_SAFE_INTEGER } = query.filter;
    const { minScore = 0 } = query.filter;
    if (createdAfterMs > createdBeforeMs || minScore > highestScore) return { contacts: [], total: 0 };
    const range = { from: firstIdAt(createdAfterMs), to: lastIdAt(createdBeforeMs) };
    const rows = contactRows(table, account.id, await vault.unlock(account), range, most);
    if (needsDigits(query)) {
      const byTens = planOf({ ...query.filter, minScore: tensOf(minScore) }, query.sortBy);
      const found = await foundBy(rows, byTens, few);
      if (found.ids.size <= few) return lookThrough(await rows.load([...found.ids]), query);
      if (byTens.kind === 'gather') return pageOfFound(rows, await withDigits(rows, found, minScore), query, few);
    }
    const plan = planOf(query.filter, query.sortBy);
    if (plan.kind === 'walk') return walk(rows, plan, query);
    return pageOfFound(rows, await narrow(rows, plan.conditions, few), query, few);
  };
