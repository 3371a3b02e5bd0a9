import { eachCounter, mostCredits } from '../../../shared/accounts/credits.ts';
import type { AccountPeopleInput } from '../../../shared/http/account-people-surface.ts';
import type { Reply } from '../../../shared/http/contract.ts';
import { Fault } from '../../../shared/kit/fault.ts';
import { InternalError } from '../../../shared/kit/internal-error.ts';
import type { AccountStore } from '../../../shared/table/accounts/account-store.ts';
import type { CreditStore } from '../../../shared/table/accounts/credit-store.ts';
import type { adjustCreditsContract } from './contract.ts';

export interface AdjustCreditsNeeds {
  readonly accounts: Pick<AccountStore, 'credits'>;
  readonly credits: Pick<CreditStore, 'adjust'>;
}

/** Changes the counters by these amounts, all or none, once per idempotency key. */
export const adjustCredits =
  ({ accounts, credits }: AdjustCreditsNeeds) =>
  async ({
    account,
    callerName: who,
    body,
    newId: id,
  }: AccountPeopleInput<typeof adjustCreditsContract>): Promise<Reply<typeof adjustCreditsContract>> => {
    const change = eachCounter((counter) => body[counter] ?? 0);
    const isDone = await credits.adjust(account, { id, change, who, reason: body.reason ?? null });
    if (!isDone) throw new Fault('conflict', `Nothing was changed: a counter must stay between 0 and ${mostCredits}.`);
    const after = await accounts.credits(account.id);
    if (!after) throw new InternalError('an account has no credits item', { accountId: account.id });
    return after;
  };
