import type { Reply, RequestOf } from '../../../shared/http/contract.ts';
import type { PeopleCaller } from '../../../shared/http/people-surface.ts';
import type { AccountStore } from '../../../shared/table/accounts/account-store.ts';
import type { getMeContract } from './contract.ts';

export interface GetMeNeeds {
  readonly accounts: Pick<AccountStore, 'find'>;
}

/** Who calls, and the accounts that they are a member of. */
export const getMe =
  ({ accounts }: GetMeNeeds) =>
  async ({
    caller: { kind, id, email, name, isOperator, roles, expiresAt },
  }: RequestOf<typeof getMeContract> & PeopleCaller): Promise<Reply<typeof getMeContract>> => {
    const given = isOperator ? [] : Object.entries(roles);
    const found = await Promise.all(
      given.map(async ([account, role]) => ({ role, account: await accounts.find(account) })),
    );
    return {
      kind,
      email,
      name,
      isOperator,
      expiresAt,
      sessionId: kind === 'session' ? id : null,
      accounts: found.flatMap(({ role, account }) =>
        account
          ? [{ id: account.id, name: account.name, status: account.status, createdAt: account.createdAt, role }]
          : [],
      ),
    };
  };
