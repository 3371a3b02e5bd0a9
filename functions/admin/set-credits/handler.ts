import type { Reply, RequestOf } from '../../../shared/http/contract.ts';
import { Fault } from '../../../shared/kit/fault.ts';
import type { Accounts } from '../../../shared/table/account-storage.ts';
import type { setCreditsContract } from './contract.ts';

export interface SetCreditsNeeds {
  readonly accounts: Pick<Accounts, 'setCredits'>;
}

/** Sets all three counters to these values, whatever they were. */
export const setCredits =
  ({ accounts }: SetCreditsNeeds) =>
  async ({ path, body }: RequestOf<typeof setCreditsContract>): Promise<Reply<typeof setCreditsContract>> => {
    if (!(await accounts.setCredits(path.id, body))) throw new Fault('not_found', 'No account has this id.');
    return body;
  };
