import type { Reply, RequestOf } from '../../../shared/http/contract.ts';
import { bytesInAnswer, cursorPage } from '../../../shared/kit/cursor-page.ts';
import { existing } from '../../../shared/kit/not-found.ts';
import type { AccountStore } from '../../../shared/table/accounts/account-store.ts';
import type { ApiKeyStore } from '../../../shared/table/accounts/api-key-store.ts';
import type { listApiKeysContract } from './contract.ts';

export interface ListApiKeysNeeds {
  readonly accounts: Pick<AccountStore, 'find'>;
  readonly apiKeys: Pick<ApiKeyStore, 'list'>;
}

/** Keys by name and prefix; the keys themselves are not stored. */
export const listApiKeys =
  ({ accounts, apiKeys }: ListApiKeysNeeds) =>
  async ({
    path: { id },
    query: { cursor, limit },
  }: RequestOf<typeof listApiKeysContract>): Promise<Reply<typeof listApiKeysContract>> => {
    existing('account_not_found', await accounts.find(id));
    const list = (most: number) => apiKeys.list(id, { cursor, limit: most });
    const { page, pagination } = await cursorPage(limit, list, bytesInAnswer);
    return { data: page, pagination };
  };
