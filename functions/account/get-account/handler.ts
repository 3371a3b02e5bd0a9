import { scope } from '../../../shared/accounts/api-key.ts';
import type { ApiKeyCaller } from '../../../shared/http/api-key-surface.ts';
import type { Reply } from '../../../shared/http/contract.ts';
import { InternalError } from '../../../shared/kit/internal-error.ts';
import type { AccountStore } from '../../../shared/table/accounts/account-store.ts';
import type { getAccountContract } from './contract.ts';

export interface GetAccountNeeds {
  readonly accounts: Pick<AccountStore, 'find' | 'credits'>;
}

/** The caller's account, and what the key that asks may do. */
export const getAccount =
  ({ accounts }: GetAccountNeeds) =>
  async ({ account: { id }, key }: ApiKeyCaller): Promise<Reply<typeof getAccountContract>> => {
    const [account, credits] = await Promise.all([accounts.find(id), accounts.credits(id)]);
    if (!account || !credits) throw new InternalError('the account of a key is missing', { accountId: id });
    const { name, status } = account;
    const { rateLimitPerMinute } = key;
    return { id, name, status, scopes: scope.array().parse(key.scopes), rateLimitPerMinute, credits };
  };
