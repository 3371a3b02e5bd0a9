import type { Reply, RequestOf } from '../../../shared/http/contract.ts';
import { Fault } from '../../../shared/kit/fault.ts';
import type { AccountStore } from '../../../shared/table/accounts/account-store.ts';
import type { getAccountContract } from './contract.ts';

export interface GetAccountNeeds {
  readonly accounts: Pick<AccountStore, 'find'>;
}

/** One account with its settings. */
export const getAccount =
  ({ accounts }: GetAccountNeeds) =>
  async ({ path }: RequestOf<typeof getAccountContract>): Promise<Reply<typeof getAccountContract>> => {
    const account = await accounts.find(path.id);
    if (!account) throw new Fault('not_found', 'No account has this id.');
    return account;
  };
