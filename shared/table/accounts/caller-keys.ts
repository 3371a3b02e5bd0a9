import type { AccountRef } from '../../kit/account-ref.ts';
import { isId } from '../../kit/id.ts';
import { iso } from '../../kit/time.ts';
import type { Lent } from '../../people/person.ts';
import { accountRefIn } from '../account-ref-in.ts';
import { newestAfter } from '../after-cursor.ts';
import type { IndexKey, ItemKey } from '../keys.ts';
import type { Item, Table, Updated } from '../table.ts';

/** Where one sort of keys lies. */
interface Places {
  item(hash: string): ItemKey;
  id(id: string): ItemKey;
  inIndex(account: string, id: string): IndexKey;
  listed(account: string): Pick<IndexKey, 'GSI1PK'>;
}

/** Whose key it is. */
interface Owner {
  /** Set on a key that was lent to a person: who they are, sealed, and what opens it. */
  readonly lent?: Lent | undefined;
  readonly account: AccountRef;
}

/** The owner of a key that is expired or revoked. */
export interface Refused {
  readonly refused: Owner & { readonly prefix: string };
}

/** A request that was counted on its key: how often it has been used in its current minute. */
export interface Admission extends Owner {
  readonly limit: number;
  readonly count: number;
  /** When the minute's bucket ends, in seconds since 1970. */
  readonly resetSeconds: number;
}

/** What is known of a key that exists. */
type Admitted = { readonly admission: Admission; readonly item: Item } | { readonly refused: Owner };

/** A key to store, identified by `id`. `shown` is its public part. */
interface NewKey {
  readonly hash: string;
  readonly shown: {
    readonly id: string;
    readonly rateLimitPerMinute: number;
    readonly createdAt: string;
    readonly [field: string]: unknown;
  };
  /** The data that every use of the key needs. */
  readonly used: Readonly<Record<string, unknown>>;
}

/** Which keys of an account are listed: those after the key with the id `cursor`, and how many. */
export interface KeyPage {
  readonly cursor?: string | undefined;
  readonly limit?: number;
}

/** The item that is found by a key's hash. `used`: what every use of the key needs. */
export const keyItem = (
  key: ItemKey,
  account: AccountRef,
  rateLimitPerMinute: number,
  used: Readonly<Record<string, unknown>>,
): Item => ({
  ...key,
  account: account.id,
  sealedKey: account.sealedKey,
  ...used,
  rateLimitPerMinute,
  minute: 0,
  count: 0,
});

const isValid =
  'attribute_exists(PK) AND attribute_not_exists(revokedAt) AND (attribute_not_exists(expiresAt) OR expiresAt > :now)';

const isOver = ({ revokedAt, expiresAt = Infinity }: Item, nowSeconds: number): boolean =>
  revokedAt !== undefined || Number(expiresAt) <= nowSeconds;

/** A key that was called so often beyond its limit is refused from memory for the rest of the minute. Until then, its next call says whether it was revoked. */
const flood = 1_000;

/** Whether nothing changes this within the minute. A key that is unknown stays so: nobody calls with one before it was made. */
const isFinal = (admitted: Admitted | undefined): boolean =>
  admitted === undefined || 'refused' in admitted || admitted.admission.count > admitted.admission.limit + flood;

/**
 * Keys of callers: one item found by the key's hash, which also holds the minute's count; beside it one found by the key's id, for the admin API.
 * They are two so that counting a request does not rewrite an index.
 */
export const callerKeys = (table: Table, places: Places, entity: string) => {
  const count = (hash: string, minute: number, nowSeconds: number) =>
    table.update({
      Key: places.item(hash),
      UpdateExpression: 'ADD #count :one',
      ConditionExpression: `${isValid} AND #minute = :minute`,
      ExpressionAttributeNames: { '#count': 'count', '#minute': 'minute' },
      ExpressionAttributeValues: { ':one': 1, ':minute': minute, ':now': nowSeconds },
    });

  const openMinute = (hash: string, minute: number, nowSeconds: number) =>
    table.update({
      Key: places.item(hash),
      UpdateExpression: 'SET #minute = :minute, #count = :one',
      ConditionExpression: `${isValid} AND #minute < :minute`,
      ExpressionAttributeNames: { '#count': 'count', '#minute': 'minute' },
      ExpressionAttributeValues: { ':one': 1, ':minute': minute, ':now': nowSeconds },
    });

  /** Clocks differ between machines: a minute that was opened ahead of ours is used as it is. */
  const countOrOpen = async (hash: string, minute: number, nowSeconds: number): Promise<Updated> => {
    const counted = await count(hash, minute, nowSeconds);
    if (counted.done || !counted.item || isOver(counted.item, nowSeconds)) return counted;
    const current = Math.max(minute, Number(counted.item['minute']));
    const opened = current === minute ? await openMinute(hash, minute, nowSeconds) : counted;
    return opened.done ? opened : countOrOpen(hash, current, nowSeconds);
  };

  const admittedBy = async (hash: string, minute: number, nowSeconds: number): Promise<Admitted | undefined> => {
    const { done, item } = await countOrOpen(hash, minute, nowSeconds);
    if (!item) return undefined;
    const owner: Owner = {
      account: accountRefIn(item),
      lent: item['lent'] as Lent | undefined,
    };
    if (!done) return { refused: owner };
    const admission = {
      ...owner,
      limit: Number(item['rateLimitPerMinute']),
      count: Number(item['count']),
      resetSeconds: (Number(item['minute']) + 1) * 60,
    };
    return { item, admission };
  };

  /** An item takes 1,000 writes a second, also one that is not there: what waits for that of one key holds functions that all accounts need. */
  let known = { minute: -1, refusals: new Map<string, Admitted | undefined>() };

  return {
    /** Counts one request of this key, in one call (two in the first of a minute), or none where it stays refused. Undefined: unknown. */
    admit: async (hash: string, nowMs: number): Promise<Admitted | undefined> => {
      const minute = Math.floor(nowMs / 60_000);
      if (known.minute !== minute) known = { minute, refusals: new Map() };
      const { refusals } = known;
      if (refusals.has(hash)) return refusals.get(hash);
      const admitted = await admittedBy(hash, minute, Math.floor(nowMs / 1_000));
      if (isFinal(admitted)) refusals.set(hash, admitted);
      return admitted;
    },

    keep: async (account: AccountRef, { hash, shown, used }: NewKey): Promise<void> => {
      const { id, rateLimitPerMinute } = shown;
      const item = keyItem(places.item(hash), account, rateLimitPerMinute, { entity, ...used });
      const pointer = {
        ...places.id(id),
        ...places.inIndex(account.id, id),
        entity: `${entity}-id`,
        hash,
        ...shown,
      };
      await table.transact([{ Put: { Item: item } }, { Put: { Item: pointer } }]);
    },

    /** An account's keys as shown after their creation, newest first. */
    list: (accountId: string, { cursor, ...most }: KeyPage): Promise<Item[]> =>
      table.query(places.listed(accountId), { ...newestAfter(cursor), ...most, newestFirst: true }),

    /** Revokes at once; a repetition does nothing. Returns false when the key is unknown. */
    revoke: async (id: string, nowMs: number): Promise<boolean> => {
      const pointer = isId(id) ? await table.get(places.id(id)) : undefined;
      if (!pointer) return false;
      const revocation = {
        UpdateExpression: 'SET revokedAt = if_not_exists(revokedAt, :now)',
        ExpressionAttributeValues: { ':now': iso(nowMs) },
      };
      await table.transact([
        { Update: { Key: places.item(String(pointer['hash'])), ...revocation } },
        { Update: { Key: places.id(id), ...revocation } },
      ]);
      return true;
    },
  };
};
