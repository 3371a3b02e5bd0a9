import type { AccountPeopleInput } from '../../../shared/http/account-people-surface.ts';
import type { Reply } from '../../../shared/http/contract.ts';
import { cursorPage } from '../../../shared/kit/cursor-page.ts';
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
  }: AccountPeopleInput<typeof listCreditChangesContract>): Promise<Reply<typeof listCreditChangesContract>> => {
    const { page, pagination } = await cursorPage(limit, (most) => credits.ledger(account, { cursor, limit: most }));
    return { data: page, pagination };
  };
