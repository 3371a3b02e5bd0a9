import type { Reply, RequestOf } from '../../../shared/http/contract.ts';
import { Fault } from '../../../shared/kit/fault.ts';
import type { Accounts } from '../../../shared/table/accounts/account-store.ts';
import type { ApiKeys } from '../../../shared/table/accounts/api-key-store.ts';
import type { listApiKeysContract } from './contract.ts';

export interface ListApiKeysNeeds {
  readonly accounts: Pick<Accounts, 'find'>;
  readonly apiKeys: Pick<ApiKeys, 'list'>;
}

/** Keys by name and beginning; the keys themselves are not kept. */
export const listApiKeys =
  ({ accounts, apiKeys }: ListApiKeysNeeds) =>
  async ({ path }: RequestOf<typeof listApiKeysContract>): Promise<Reply<typeof listApiKeysContract>> => {
    if (!(await accounts.find(path.id))) throw new Fault('not_found', 'No account has this id.');
    return apiKeys.list(path.id);
  };
