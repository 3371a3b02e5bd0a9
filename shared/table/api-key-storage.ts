import { type ApiKey, apiKey, hashOf, isApiKey, type Scope } from '../accounts/api-key.ts';
import type { AccountRef } from '../kit/account-ref.ts';
import { firstIdAt, isId, lastIdAt } from '../kit/id.ts';
import { iso } from '../kit/time.ts';
import { indexKeys, itemKeys, partitions } from './keys.ts';
import type { Item, Table } from './table.ts';

/** A key that may call, and how often it has in its current minute. */
export interface Admission {
  readonly account: AccountRef;
  readonly scopes: readonly string[];
  readonly limit: number;
  readonly count: number;
  /** When the minute's bucket ends, in seconds since 1970. */
  readonly resetSeconds: number;
}

const mostListed = 1_000;

/**
 * API keys: one item found by the key's hash, which also holds the minute's count; beside it one found by the key's id, for operators.
 * They are two so that counting a request does not rewrite an index.
 */
export const apiKeyStorage = (table: Table) => {
  const count = (hash: string, minute: number) =>
    table.update({
      Key: itemKeys.apiKey(hash),
      UpdateExpression: 'ADD #count :one',
      ConditionExpression: 'attribute_exists(PK) AND attribute_not_exists(revokedAt) AND #minute = :minute',
      ExpressionAttributeNames: { '#count': 'count', '#minute': 'minute' },
      ExpressionAttributeValues: { ':one': 1, ':minute': minute },
    });

  const openMinute = (hash: string, minute: number) =>
    table.update({
      Key: itemKeys.apiKey(hash),
      UpdateExpression: 'SET #minute = :minute, #count = :one',
      ConditionExpression: 'attribute_exists(PK) AND attribute_not_exists(revokedAt) AND #minute < :minute',
      ExpressionAttributeNames: { '#count': 'count', '#minute': 'minute' },
      ExpressionAttributeValues: { ':one': 1, ':minute': minute },
    });

  /** Clocks differ between machines: a minute that was opened ahead of ours is used as it is. */
  const countOrOpen = async (hash: string, minute: number): Promise<Item | undefined> => {
    const counted = await count(hash, minute);
    if (counted.done) return counted.item;
    if (!counted.item || counted.item['revokedAt'] !== undefined) return undefined;
    const current = Math.max(minute, Number(counted.item['minute']));
    const opened = current === minute ? await openMinute(hash, minute) : counted;
    return opened.done ? opened.item : countOrOpen(hash, current);
  };

  return {
    /** Counts one request of this key, in one call (two in the first of a minute). Undefined: unknown, malformed or revoked. */
    admit: async (key: string, nowMs: number): Promise<Admission | undefined> => {
      const item = isApiKey(key) ? await countOrOpen(hashOf(key), Math.floor(nowMs / 60_000)) : undefined;
      return (
        item && {
          account: { id: String(item['account']), sealedKey: String(item['sealedKey']) },
          scopes: item['scopes'] as string[],
          limit: Number(item['rateLimitPerMinute']),
          count: Number(item['count']),
          resetSeconds: (Number(item['minute']) + 1) * 60,
        }
      );
    },

    create: async (
      account: AccountRef,
      key: string,
      {
        id,
        name,
        scopes,
        rateLimitPerMinute,
      }: { id: string; name: string; scopes: readonly Scope[]; rateLimitPerMinute: number },
      nowMs: number,
    ): Promise<ApiKey> => {
      const hash = hashOf(key);
      const shown = {
        id,
        name,
        prefix: key.slice(0, 7),
        scopes: [...scopes],
        rateLimitPerMinute,
        createdAt: iso(nowMs),
      };
      await table.transact([
        {
          Put: {
            Item: {
              ...itemKeys.apiKey(hash),
              entity: 'api-key',
              account: account.id,
              sealedKey: account.sealedKey,
              scopes: shown.scopes,
              rateLimitPerMinute,
              minute: 0,
              count: 0,
            },
          },
        },
        {
          Put: {
            Item: {
              ...itemKeys.apiKeyId(id),
              ...indexKeys.apiKeyId(account.id, id),
              entity: 'api-key-id',
              hash,
              ...shown,
            },
          },
        },
      ]);
      return { ...shown, revokedAt: null };
    },

    list: async (accountId: string): Promise<ApiKey[]> => {
      const items = await table.query(partitions.apiKeys(accountId), {
        from: firstIdAt(0),
        to: lastIdAt(Number.MAX_SAFE_INTEGER),
        newestFirst: true,
        limit: mostListed,
      });
      return items.map((item) => apiKey.parse({ revokedAt: null, ...item }));
    },

    /** Revokes at once; again does nothing. Gives false when there is no such key. */
    revoke: async (id: string, nowMs: number): Promise<boolean> => {
      const pointer = isId(id) ? await table.get(itemKeys.apiKeyId(id)) : undefined;
      if (!pointer) return false;
      const revocation = {
        UpdateExpression: 'SET revokedAt = if_not_exists(revokedAt, :now)',
        ExpressionAttributeValues: { ':now': iso(nowMs) },
      };
      await table.transact([
        { Update: { Key: itemKeys.apiKey(String(pointer['hash'])), ...revocation } },
        { Update: { Key: itemKeys.apiKeyId(id), ...revocation } },
      ]);
      return true;
    },
  };
};

export type ApiKeys = ReturnType<typeof apiKeyStorage>;
