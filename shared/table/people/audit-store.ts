import type { Vault } from '../../kit/cipher.ts';
import type { WantedPage } from '../../kit/cursor-page.ts';
import { newId, timeOfId } from '../../kit/id.ts';
import { iso } from '../../kit/time.ts';
import { minuteMs } from '../../kit/time-units.ts';
import type { Actor } from '../../people/person.ts';
import { newestAfter } from '../after-cursor.ts';
import { type ItemKey, indexKeys, itemKeys, partitions } from '../keys.ts';
import { optionalNumber, optionalText } from '../optional.ts';
import type { Item, Table } from '../table.ts';
import { peopleKeyStore } from './people-key.ts';

export interface AuditEntry {
  readonly id: string;
  readonly at: string;
  readonly actor: Pick<Actor, 'kind' | 'email' | 'name'>;
  readonly action: string;
  readonly resource: string;
  readonly accountId: string | null;
  /** Null: the change was begun, and nothing is known of its end. */
  readonly status: number | null;
  readonly address: string;
  readonly userAgent: string;
}

/** The actor of a key's entries is sealed once, with the key, so that its uses need no data key. */
const place = 'AUDIT';
const keptSeconds = 366 * 24 * 3_600;
const keptMonths = 13;
const monthOf = (ms: number): string => iso(ms).slice(0, 7);

/** The audit log: what people and tokens changed. An entry is written before its change, and what came of it afterwards. */
export const auditStore = (table: Table, vault: Vault) => {
  const people = peopleKeyStore(table, vault);

  const entryFrom = async (item: Item): Promise<AuditEntry> => {
    const { cipher } = await people.open(String(item['sealedKey']));
    const { kind, email, name, address, userAgent } = JSON.parse(cipher.open(place, item['actor']));
    const id = String(item['SK']);
    return {
      id,
      at: iso(timeOfId(id)),
      actor: { kind, email, name },
      action: String(item['action']),
      resource: [item['resource'], item['made']].filter((part) => part !== undefined).join('/'),
      accountId: optionalText(item['account']) ?? null,
      status: optionalNumber(item['status']) ?? null,
      address,
      userAgent,
    };
  };

  return {
    seal: async (sealedKey: string, actor: Actor): Promise<Uint8Array> =>
      (await people.open(sealedKey)).cipher.seal(place, JSON.stringify(actor)),

    begin: async (
      entry: {
        readonly actor: Uint8Array;
        readonly sealedKey: string;
        readonly action: string;
        readonly resource: string;
        readonly account: string | undefined;
      },
      nowMs: number,
    ): Promise<ItemKey> => {
      const id = newId(nowMs);
      const key = itemKeys.auditEntry(monthOf(nowMs), id);
      const inIndex = entry.account === undefined ? {} : indexKeys.auditEntry(entry.account, id);
      const expiresAt = Math.floor(nowMs / 1_000) + keptSeconds;
      await table.put({ Item: { ...key, ...inIndex, ...entry, entity: 'audit-entry', expiresAt } });
      return key;
    },

    /** `account`: the new account that the entry is about, which was not known when it began. */
    end: async (Key: ItemKey, status: number, made?: string, account?: string): Promise<void> => {
      const inIndex = account === undefined ? {} : { account, ...indexKeys.auditEntry(account, Key.SK) };
      const set = Object.entries({ status, ...(made !== undefined && { made }), ...inIndex });
      await table.update({
        Key,
        UpdateExpression: `SET ${set.map(([name]) => `#${name} = :${name}`).join(', ')}`,
        ExpressionAttributeNames: Object.fromEntries(set.map(([name]) => [`#${name}`, name])),
        ExpressionAttributeValues: Object.fromEntries(set.map(([name, value]) => [`:${name}`, value])),
      });
    },

    /** Newest first: of one account, or of all. */
    list: async (
      account: string | undefined,
      span: WantedPage & { readonly fromMs: number | undefined; readonly toMs: number | undefined },
      nowMs: number,
    ): Promise<AuditEntry[]> => {
      const { cursor, limit, fromMs = 0, toMs = Number.POSITIVE_INFINITY } = span;
      // There is nothing later: a machine's clock is at most a minute ahead.
      const ids = newestAfter(cursor, { fromMs, toMs: Math.min(toMs, nowMs + minuteMs) });
      const stretch = { ...ids, newestFirst: true, limit };
      if (account !== undefined) {
        const items = await table.query(partitions.auditOf(account), stretch);
        return Promise.all(items.map(entryFrom));
      }
      const found: Item[] = [];
      const newest = new Date(timeOfId(ids.to));
      for (let back = 0; back < keptMonths && found.length < limit; back += 1) {
        const month = Date.UTC(newest.getUTCFullYear(), newest.getUTCMonth() - back, 1);
        found.push(...(await table.query(partitions.auditIn(monthOf(month)), stretch)));
        if (month < fromMs) break;
      }
      return Promise.all(found.slice(0, limit).map(entryFrom));
    },
  };
};

export type AuditStore = ReturnType<typeof auditStore>;
