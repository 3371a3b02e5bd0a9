import type { Reply, RequestOf } from '../../../shared/http/contract.ts';
import { Fault } from '../../../shared/kit/fault.ts';
import type { AccountStore } from '../../../shared/table/accounts/account-store.ts';
import type { getCreditsContract } from './contract.ts';

export interface GetCreditsNeeds {
  readonly accounts: Pick<AccountStore, 'credits'>;
}

/** What the account may still send, by counter. */
export const getCredits =
  ({ accounts }: GetCreditsNeeds) =>
  async ({ path }: RequestOf<typeof getCreditsContract>): Promise<Reply<typeof getCreditsContract>> => {
    const credits = await accounts.credits(path.id);
    if (!credits) throw new Fault('not_found', 'No account has this id.');
    return credits;
  };
