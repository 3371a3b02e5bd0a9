import type { Reply } from '../../../shared/http/contract.ts';
import type { OperatorInput } from '../../../shared/http/operator-surface.ts';
import type { CreditStore } from '../../../shared/table/accounts/credit-store.ts';
import type { listCreditChangesContract } from './contract.ts';

export interface ListCreditChangesNeeds {
  readonly credits: Pick<CreditStore, 'ledger'>;
}

/** One page of the account's ledger of credits. */
export const listCreditChanges =
  ({ credits }: ListCreditChangesNeeds) =>
  async ({
    account,
    query: { cursor, limit },
  }: OperatorInput<typeof listCreditChangesContract>): Promise<Reply<typeof listCreditChangesContract>> => {
    const found = await credits.ledger(account, { cursor, limit: limit + 1 });
    const data = found.slice(0, limit);
    const hasMore = found.length > limit;
    return { data, pagination: { cursor: hasMore ? (data.at(-1)?.id ?? null) : null, hasMore } };
  };
