import type { Reply, RequestOf } from '../../../shared/http/contract.ts';
import { existing } from '../../../shared/kit/not-found.ts';
import type { AccountStore } from '../../../shared/table/accounts/account-store.ts';
import type { getCreditsContract } from './contract.ts';

export interface GetCreditsNeeds {
  readonly accounts: Pick<AccountStore, 'credits'>;
}

/** The account's remaining credits, by counter. */
export const getCredits =
  ({ accounts }: GetCreditsNeeds) =>
  async ({ path }: RequestOf<typeof getCreditsContract>): Promise<Reply<typeof getCreditsContract>> => {
    return existing('account_not_found', await accounts.credits(path.id));
  };
