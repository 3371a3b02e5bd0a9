import type { AccountPeopleInput } from '../../../shared/http/account-people-surface.ts';
import type { Reply } from '../../../shared/http/contract.ts';
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
    query,
  }: AccountPeopleInput<typeof listCreditChangesContract>): Promise<Reply<typeof listCreditChangesContract>> => {
    const { page, pagination } = await credits.ledger(account, query);
    return { data: page, pagination };
  };
