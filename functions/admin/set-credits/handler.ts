import type { AccountPeopleInput } from '../../../shared/http/account-people-surface.ts';
import type { Reply } from '../../../shared/http/contract.ts';
import type { CreditStore } from '../../../shared/table/accounts/credit-store.ts';
import type { setCreditsContract } from './contract.ts';

export interface SetCreditsNeeds {
  readonly credits: Pick<CreditStore, 'set'>;
}

/** Sets all three counters to these values. */
export const setCredits =
  ({ credits }: SetCreditsNeeds) =>
  async ({
    account,
    callerName: who,
    body,
    newId: id,
  }: AccountPeopleInput<typeof setCreditsContract>): Promise<Reply<typeof setCreditsContract>> => {
    await credits.set(account, body, { id, who, reason: null });
    return body;
  };
