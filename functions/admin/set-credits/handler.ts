import type { Reply } from '../../../shared/http/contract.ts';
import type { OperatorInput } from '../../../shared/http/operator-surface.ts';
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
    operator: who,
    body,
    newId: id,
  }: OperatorInput<typeof setCreditsContract>): Promise<Reply<typeof setCreditsContract>> => {
    await credits.set(account, body, { id, who, reason: null });
    return body;
  };
