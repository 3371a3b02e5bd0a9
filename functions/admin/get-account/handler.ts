import type { Reply, RequestOf } from '../../../shared/http/contract.ts';
import { existing } from '../../../shared/kit/not-found.ts';
import type { AccountStore } from '../../../shared/table/accounts/account-store.ts';
import type { getAccountContract } from './contract.ts';

export interface GetAccountNeeds {
  readonly accounts: Pick<AccountStore, 'find'>;
}

/** One account with its settings. */
export const getAccount =
  ({ accounts }: GetAccountNeeds) =>
  async ({ path }: RequestOf<typeof getAccountContract>): Promise<Reply<typeof getAccountContract>> => {
    return existing('account_not_found', await accounts.find(path.id));
  };
