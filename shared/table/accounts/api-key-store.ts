import { type ApiKey, apiKey, hashOf, isApiKey, prefixOf, type Scope } from '../../accounts/api-key.ts';
import type { AccountRef } from '../../kit/account-ref.ts';
import { iso } from '../../kit/time.ts';
import { indexKeys, itemKeys, partitions } from '../keys.ts';
import type { Table } from '../table.ts';
import { type Admission, callerKeys, type KeyPage, type Refused } from './caller-keys.ts';

/** Keys of the messaging API. */
export const apiKeyStore = (table: Table) => {
  const keys = callerKeys(
    table,
    { item: itemKeys.apiKey, id: itemKeys.apiKeyId, inIndex: indexKeys.apiKeyId, listed: partitions.apiKeys },
    'api-key',
  );

  return {
    /** Counts one request of this key. Undefined: unknown or malformed. */
    admit: async (
      key: string,
      nowMs: number,
    ): Promise<(Admission & { readonly prefix: string; readonly scopes: readonly string[] }) | Refused | undefined> => {
      const admitted = isApiKey(key) ? await keys.admit(hashOf(key), nowMs) : undefined;
      if (!admitted) return undefined;
      const prefix = prefixOf(key);
      if ('refused' in admitted) return { refused: { ...admitted.refused, prefix } };
      return { ...admitted.admission, prefix, scopes: admitted.item['scopes'] as string[] };
    },

    create: async (
      account: AccountRef,
      key: string,
      { scopes, ...fields }: Pick<ApiKey, 'id' | 'name' | 'rateLimitPerMinute'> & { readonly scopes: readonly Scope[] },
      nowMs: number,
    ): Promise<ApiKey> => {
      const shown = { ...fields, prefix: prefixOf(key), scopes: [...scopes], createdAt: iso(nowMs) };
      await keys.keep(account, { hash: hashOf(key), shown, used: { scopes: shown.scopes } });
      return { ...shown, revokedAt: null };
    },

    list: async (accountId: string, page: KeyPage = {}): Promise<ApiKey[]> =>
      (await keys.list(accountId, page)).map((item) => apiKey.parse({ revokedAt: null, ...item })),

    revoke: keys.revoke,
  };
};

export type ApiKeyStore = ReturnType<typeof apiKeyStore>;
