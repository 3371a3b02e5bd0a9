import {
  type CreditChange,
  type Credits,
  creditCounters,
  eachCounter,
  type LedgerEntry,
  mostCredits,
} from '../../accounts/credits.ts';
import { takenName } from '../../analytics/counts.ts';
import type { AccountRef } from '../../kit/account-ref.ts';
import type { Cipher, Vault } from '../../kit/cipher.ts';
import { type CursorPage, pageOf, type WantedPage } from '../../kit/cursor-page.ts';
import { firstIdAt, timeOfId } from '../../kit/id.ts';
import { InternalError } from '../../kit/internal-error.ts';
import { iso } from '../../kit/time.ts';
import { everyId } from '../every-id.ts';
import { itemKeys, partitions } from '../keys.ts';
import { hourOf } from '../messages/analytics-store.ts';
import { sealedPlace } from '../sealed-place.ts';
import type { Item, Table, Write } from '../table.ts';
import { putNew } from '../writes.ts';
import {
  creditsIn,
  type Guard,
  gainsIn,
  operatorWrites,
  readCredits,
  type TopUps,
  topUpsFrom,
} from './credit-items.ts';
import { raiseCreditShards } from './credit-shards.ts';

/** Who changed credits, and why. It may name people, so it is sealed. */
interface Cause {
  readonly who: string;
  readonly reason: string | null;
}

interface OwnEntry extends Cause {
  /** A change with this id is made once. */
  readonly id: string;
  readonly kind: Exclude<LedgerEntry['kind'], 'sends'>;
  readonly change: CreditChange;
}

/** `exists`: the change with this id has been made before. */
type Outcome = 'done' | 'exists' | 'refused';

const entryPosition = 0;
/** How many hours each look for a page reads. Those of an account that sends whatsapp only take no credits, for years. */
const hoursPerLook = [100, 1_000, 1_000, 1_000, 1_000];

const noTopUps = eachCounter(() => []);

const place = (accountId: string, id: string) => sealedPlace(itemKeys.ledgerEntry(accountId, id), 'cause');

/**
 * What operators change on an account's credits, and the ledger of all changes. A change and its entry are one transaction. Sends have no entries of their own: the
 * stream's reader sums up, beside the hour counts, what the messages of an hour took, so a send writes nothing for the ledger.
 */
export const creditStore = (table: Table, vault: Vault) => {
  const write = async (account: AccountRef, entry: OwnEntry, topUps: TopUps, guard: Guard): Promise<Outcome> => {
    const refused = await table.transact([
      entryPut(account.id, await vault.unlock(account), entry),
      ...operatorWrites(account.id, entry.change, topUps, guard),
    ]);
    if (!refused) return 'done';
    return refused.failed.some(({ position }) => position === entryPosition) ? 'exists' : 'refused';
  };

  /**
   * Makes the change that follows from the credits as they are, until no other change comes between. False when there is none: shards that gained
   * nothing while they were read never had more together.
   */
  const change = async (
    account: AccountRef,
    entry: Omit<OwnEntry, 'change'>,
    changeOf: (credits: Credits) => CreditChange | undefined,
  ): Promise<boolean> => {
    const shards = await readCredits(table, account.id);
    if (!shards) throw new InternalError('an account has no credits item', { accountId: account.id });
    const wanted = changeOf(creditsIn(shards));
    if (!wanted) {
      const isAsRead = gainsIn((await readCredits(table, account.id)) ?? []) === gainsIn(shards);
      return isAsRead ? false : change(account, entry, changeOf);
    }
    const topUps = eachCounter((counter) => topUpsFrom(shards, { counter, credits: -wanted[counter] }, 0) ?? []);
    const guard = { changes: Number(shards[0]['changes'] ?? 0) };
    const outcome = await write(account, { ...entry, change: wanted }, topUps, guard);
    return outcome === 'refused' ? change(account, entry, changeOf) : true;
  };

  /** Hours that have an entry, newest first; `last`: the id of the last hour that was looked at, where there may be more. */
  const hours = async (
    accountId: string,
    lastHour: string,
    limit: number,
  ): Promise<{ readonly found: LedgerEntry[]; readonly last: string | undefined }> => {
    const found: LedgerEntry[] = [];
    let to = lastHour;
    let last: string | undefined;
    for (const atOnce of hoursPerLook) {
      const stretch = { from: hourOf(0), to, newestFirst: true, limit: atOnce };
      const rows = await table.query(partitions.hourCounts(accountId), stretch);
      found.push(...rows.flatMap(sendsIn));
      const oldest = rows.at(-1);
      if (!oldest || rows.length < atOnce) return { found, last: undefined };
      last = firstIdAt(startOf(oldest));
      if (found.length >= limit) break;
      to = hourOf(startOf(oldest) - 1);
    }
    return { found, last };
  };

  return {
    /** Adds to each counter, once per id. Returns false and changes nothing when a counter would leave its range. */
    adjust: async (account: AccountRef, entry: Omit<OwnEntry, 'kind'>): Promise<boolean> => {
      const adjustment = { ...entry, kind: 'adjustment' } as const;
      if ((await write(account, adjustment, noTopUps, 'in-one-shard')) !== 'refused') return true;
      return change(account, adjustment, (credits) => {
        const isInRange = creditCounters.every((counter) => {
          const after = credits[counter] + entry.change[counter];
          return entry.change[counter] === 0 || (after >= 0 && after <= mostCredits);
        });
        return isInRange ? entry.change : undefined;
      });
    },

    /**
     * Sets the counters to these values. What sends take between the read and the write is taken off the new values, so a busy account cannot hold
     * this up; another operator's change meanwhile makes it read again.
     */
    set: async (account: AccountRef, wanted: Credits, entry: Cause & { readonly id: string }): Promise<void> => {
      await change(account, { ...entry, kind: 'set' }, (credits) =>
        eachCounter((counter) => wanted[counter] - credits[counter]),
      );
    },

    /** Spreads the credits over at least so many items. Returns how many there are then, or undefined for an unknown account. */
    raiseShards: (accountId: string, shards: number): Promise<number | undefined> =>
      raiseCreditShards(table, accountId, shards),

    /** Newest first, after the entry with the id `cursor`; `limit` at most, and fewer where many hours took no credits. */
    ledger: async (account: AccountRef, { cursor, limit }: WantedPage): Promise<CursorPage<LedgerEntry>> => {
      const lastHour = cursor === undefined ? '~' : hourOf(timeOfId(cursor));
      const stretch = { ...everyId, ...(cursor !== undefined && { to: cursor }), newestFirst: true, limit: limit + 2 };
      const [own, { found, last }] = await Promise.all([
        table.query(partitions.ledger(account.id), stretch),
        hours(account.id, lastHour, limit + 2),
      ]);
      const cipher = await vault.unlock(account);
      const rows = [...own.map((item) => entryFrom(account.id, cipher, item)), ...found]
        .filter(({ id }) => (cursor === undefined || id < cursor) && (last === undefined || id >= last))
        .sort((a, b) => (a.id < b.id ? 1 : -1));
      return pageOf(rows, limit, undefined, last);
    },
  };
};

export type CreditStore = ReturnType<typeof creditStore>;

const entryPut = (accountId: string, cipher: Cipher, { id, kind, change, who, reason }: OwnEntry): Write =>
  putNew({
    ...itemKeys.ledgerEntry(accountId, id),
    entity: 'ledger-entry',
    kind,
    ...change,
    cause: cipher.seal(place(accountId, id), JSON.stringify({ who, reason })),
  });

const entryFrom = (accountId: string, cipher: Cipher, item: Item): LedgerEntry => {
  const id = String(item['SK']);
  const cause = JSON.parse(cipher.open(place(accountId, id), item['cause'])) as Cause;
  return {
    id,
    at: iso(timeOfId(id)),
    kind: item['kind'] as OwnEntry['kind'],
    ...eachCounter((counter) => Number(item[counter])),
    ...cause,
  };
};

const startOf = ({ SK }: Item): number => Date.parse(`${SK}:00:00.000Z`);

/** The cost of an hour's messages, unless it is 0. */
const sendsIn = (row: Item): LedgerEntry[] => {
  const change = eachCounter((counter) => 0 - Number(row[takenName(counter)] ?? 0));
  if (creditCounters.every((counter) => change[counter] === 0)) return [];
  const startMs = startOf(row);
  return [{ id: firstIdAt(startMs), at: iso(startMs), kind: 'sends', ...change, who: null, reason: null }];
};
