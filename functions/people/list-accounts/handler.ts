import type { Reply, RequestOf } from '../../../shared/http/contract.ts';
import type { PeopleCaller } from '../../../shared/http/people-surface.ts';
import { filteredPage } from '../../../shared/kit/cursor-page.ts';
import type { AccountStore } from '../../../shared/table/accounts/account-store.ts';
import type { listAccountsContract } from './contract.ts';

export interface ListAccountsNeeds {
  readonly accounts: Pick<AccountStore, 'find' | 'page'>;
}

/** The accounts that the caller may see. */
export const listAccounts =
  ({ accounts }: ListAccountsNeeds) =>
  async ({
    caller,
    query: { cursor, limit, search = '' },
  }: RequestOf<typeof listAccountsContract> & PeopleCaller): Promise<Reply<typeof listAccountsContract>> => {
    const wanted = search.toLowerCase();
    const ofMember = async (after: string | undefined, most: number) => {
      const ids = Object.keys(caller.roles).filter((id) => after === undefined || id > after);
      const found = await Promise.all(ids.sort().slice(0, most).map(accounts.find));
      return found.flatMap((account) => account ?? []);
    };
    const ofOperator = async (after: string | undefined, most: number) =>
      Promise.all((await accounts.page(after, most)).map(({ open }) => open()));
    const read = caller.isOperator ? ofOperator : ofMember;
    const { page, pagination } = await filteredPage(
      { cursor, limit },
      async (from) => (await read(from.cursor, from.limit)).map((row) => ({ id: row.id, row })),
      ({ id, name }) => name.toLowerCase().includes(wanted) || id.startsWith(wanted),
    );
    return { data: page, pagination };
  };
