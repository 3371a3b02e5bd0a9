import type { Reply, RequestOf } from '../../../shared/http/contract.ts';
import { cursorPage } from '../../../shared/kit/cursor-page.ts';
import { existing } from '../../../shared/kit/not-found.ts';
import type { AccountStore } from '../../../shared/table/accounts/account-store.ts';
import type { MemberStore } from '../../../shared/table/people/member-store.ts';
import type { listMembersContract } from './contract.ts';

export interface ListMembersNeeds {
  readonly accounts: Pick<AccountStore, 'find'>;
  readonly members: Pick<MemberStore, 'list'>;
}

/** Who may use the account. */
export const listMembers =
  ({ accounts, members }: ListMembersNeeds) =>
  async ({
    path: { id },
    query: { cursor, limit },
  }: RequestOf<typeof listMembersContract>): Promise<Reply<typeof listMembersContract>> => {
    existing('account_not_found', await accounts.find(id));
    const { page, pagination } = await cursorPage(limit, (most) => members.list(id, { cursor, limit: most }));
    return {
      data: page.map((each) => ({ ...each, role: each.role === 'operator' ? 'owner' : each.role })),
      pagination,
    };
  };
