import {
  type ContactStatus,
  highestScore,
  type KeptContact,
  sourceOfSends,
  startStatus,
} from '../../contacts/contact.ts';
import type { Condition, Holder, IndexRows } from '../../contacts/list-plan.ts';
import type { Cipher } from '../../kit/cipher.ts';
import { Fault } from '../../kit/fault.ts';
import { grouped } from '../../kit/grouped.ts';
import { timeOfId } from '../../kit/id.ts';
import { iso } from '../../kit/time.ts';
import { contactsIn, readCredits } from '../accounts/credit-items.ts';
import { idIn, itemKeys, partitions, slimKeys } from '../keys.ts';
import type { Partition, Stretch } from '../question.ts';
import type { Table } from '../table.ts';
import { contactFrom, lockKey, wordPath } from './contact-items.ts';

/** The first and the last id that count; both are included. */
export interface IdRange {
  readonly from: string;
  readonly to: string;
}

/** A page: how many rows come before it, and how many it has. */
interface InRow {
  readonly newestFirst: boolean;
  readonly offset: number;
  readonly limit: number;
}

/** Rows can be counted so many times as fast as they are read, because that needs no consistent read. */
const countedPerRead = 2;

/** Sorts after everything that may follow the beginning of a sort key. */
const end = '~';

const isHolder = (rows: IndexRows | Holder): rows is Holder => rows.of === 'email' || rows.of === 'phone';

interface RowsIn {
  readonly partition: Partition;
  readonly stretch: Pick<Stretch, 'from' | 'to'>;
  readonly keyOf?: (sortKey: string) => string;
}

/** The sort key of an unchanged contact among those by update. */
const byCreation = (id: string): string => itemKeys.contactByUpdate('', iso(timeOfId(id)), id).SK;

/**
 * Where rows stand: partitions, and in each the first and the last of their sort keys, and what these are among those of the others. A partition
 * that contacts leave for others is before them: read in this order, none is missed.
 */
const stretchesOf = (account: string, cipher: Cipher, rows: IndexRows, ids: IdRange): readonly RowsIn[] => {
  const ofSends = partitions.contactsOfSends(account);
  switch (rows.of) {
    case 'status': {
      const changed = { partition: partitions.contactsByStatus(account, rows.value), stretch: ids };
      return rows.value === startStatus ? [{ partition: ofSends, stretch: ids }, changed] : [changed];
    }
    case 'source': {
      const fingerprint = cipher.fingerprint('source', rows.value);
      const others = { partition: partitions.contactsBySource(account, fingerprint), stretch: ids };
      return rows.value === sourceOfSends ? [{ partition: ofSends, stretch: ids }, others] : [others];
    }
    case 'tag':
      return [{ partition: partitions.contactsByTag(account, cipher.fingerprint('tag', rows.value)), stretch: ids }];
    case 'wordStart': {
      const from = wordPath(cipher, rows.value);
      return [{ partition: partitions.contactsByWord(account), stretch: { from, to: from + end } }];
    }
    case 'scoreFrom': {
      const scores = {
        from: slimKeys.contact(account, rows.value, '').GSI2SK,
        to: slimKeys.contact(account, highestScore, end).GSI2SK,
      };
      return [
        { partition: partitions.contactsByScore(account), stretch: scores },
        { partition: partitions.earlierContactsByScore(account), stretch: scores },
      ];
    }
    case 'update': {
      const all = { from: '0', to: end };
      return [
        { partition: ofSends, stretch: all, keyOf: byCreation },
        { partition: partitions.contactsByUpdate(account), stretch: all },
      ];
    }
  }
};

/** What is read of some rows: `limit` at most, and of those the wanted ones. */
interface RowsRead {
  readonly newestFirst: boolean;
  readonly limit?: number;
  readonly isWanted?: (id: string) => boolean;
}

/**
 * Reads what finds an account's contacts. Rows that are in the order of ids are read within the range only.
 * @throws Fault invalid_request when that is more than `most` rows
 */
export const contactRows = (table: Table, account: string, cipher: Cipher, range: IdRange, most: number) => {
  let left = most;

  const tooMany = (whose: 'filters' | 'page') =>
    new Fault(
      'invalid_request',
      `${whose}: more than ${grouped(most)} contacts to ${whose === 'page' ? 'read to reach it' : 'look through'}; add a filter that few contacts match, or use GET /contacts/export`,
    );

  const keysIn = async (
    { partition, stretch, keyOf = String }: RowsIn,
    { isWanted = () => true, ...page }: RowsRead,
  ): Promise<string[]> => {
    const only = ['GSI2PK' in partition ? 'GSI2SK' : 'SK'];
    const wanted: string[] = [];
    for await (const part of table.parts(partition, { ...stretch, ...page, only })) {
      left -= part.length;
      if (left < 0) throw tooMany(page.limit === undefined ? 'filters' : 'page');
      const sortKeys = part.map(({ SK, GSI2SK = SK }) => keyOf(String(GSI2SK)));
      wanted.push(...sortKeys.filter((sortKey) => isWanted(idIn(sortKey))));
    }
    return wanted;
  };

  /** Those of several partitions one after the other. As items, a million would not fit into a function's memory. */
  const sortKeys = async (rows: IndexRows, read: RowsRead): Promise<string[]> => {
    const found: string[][] = [];
    for (const each of stretchesOf(account, cipher, rows, range)) found.push(await keysIn(each, read));
    return found.flat();
  };

  const heldBy = async ({ of, value }: Holder): Promise<string[]> => {
    const lock = await table.get(lockKey(account, cipher, of === 'email' ? { email: value } : { phone: value }));
    return lock && lock['isRetired'] !== true ? [String(lock['contactId'])] : [];
  };

  const idsIn = async (rows: IndexRows | Holder, isWanted: (id: string) => boolean): Promise<string[]> => {
    const isMeant = (id: string) => id >= range.from && id <= range.to && isWanted(id);
    if (isHolder(rows)) return (await heldBy(rows)).filter(isMeant);
    return (await sortKeys(rows, { newestFirst: false, isWanted: isMeant })).map(idIn);
  };

  const idsInAll = async (
    group: readonly (IndexRows | Holder)[],
    isWanted: (id: string) => boolean,
  ): Promise<string[]> => {
    const [first = [], ...others] = await Promise.all(group.map((rows) => idsIn(rows, isWanted)));
    const sets = others.map((ids) => new Set(ids));
    return first.filter((id) => sets.every((ids) => ids.has(id)));
  };

  return {
    sortKeys,

    count: async (rows: IndexRows): Promise<number> => {
      const stretches = stretchesOf(account, cipher, rows, range);
      const limits = { most: countedPerRead * most + 1 };
      const counts = await Promise.all(
        stretches.map(({ partition, stretch }) => table.count(partition, stretch, limits)),
      );
      if (Math.max(...counts) === limits.most) throw tooMany('filters');
      return counts.reduce((sum, n) => sum + n, 0);
    },

    /** What the account's counters say of these statuses, in any range. */
    counted: async (statuses: readonly ContactStatus[]): Promise<number> => {
      const [shards, credits = []] = await Promise.all([
        table.query(partitions.contactCounts(account), { from: '0', to: end, newestFirst: false }),
        // Those that sends have created are counted there.
        statuses.includes(startStatus) ? readCredits(table, account) : undefined,
      ]);
      return shards
        .flatMap((shard) => statuses.map((status) => Number(shard[status] ?? 0)))
        .reduce((sum, n) => sum + n, contactsIn(credits));
    },

    /** The contacts that meet a condition, each once, of those that are wanted. */
    idsMeeting: async (
      condition: Condition,
      isWanted: (id: string) => boolean = () => true,
    ): Promise<ReadonlySet<string>> =>
      new Set((await Promise.all(condition.map((group) => idsInAll(group, isWanted)))).flat()),

    /** The contacts with these ids, in this order; those are left out that have just been retired. */
    load: async (ids: readonly string[]): Promise<KeptContact[]> => {
      const items = await table.getAll(ids.map((id) => itemKeys.contact(account, id)));
      return items.flatMap((item) => (item ? [contactFrom(account, cipher, item)] : []));
    },

    /** A page of the table itself, in the order of ids. */
    inRow: async ({ newestFirst, offset, limit }: InRow): Promise<KeptContact[]> => {
      const items = await table.query(partitions.contacts(account), { ...range, newestFirst, limit: offset + limit });
      return items.slice(offset).map((item) => contactFrom(account, cipher, item));
    },
  };
};

export type ContactRows = ReturnType<typeof contactRows>;
