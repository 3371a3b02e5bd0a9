import { shown } from '../../../shared/checkout/methods.ts';
import type { Reply, RequestOf } from '../../../shared/http/contract.ts';
import { existing } from '../../../shared/kit/not-found.ts';
import type { AccountStore } from '../../../shared/table/accounts/account-store.ts';
import type { MethodStore } from '../../../shared/table/checkout/method-store.ts';
import type { listCheckoutMethodsContract } from './contract.ts';

export interface ListCheckoutMethodsNeeds {
  readonly accounts: Pick<AccountStore, 'find'>;
  readonly methods: Pick<MethodStore, 'list'>;
}

/** The methods of both modes, including disabled ones, without their credentials. */
export const listCheckoutMethods =
  ({ accounts, methods }: ListCheckoutMethodsNeeds) =>
  async ({
    path,
  }: RequestOf<typeof listCheckoutMethodsContract>): Promise<Reply<typeof listCheckoutMethodsContract>> => {
    const account = existing('account_not_found', await accounts.find(path.id));
    return (await methods.list(account.ref)).map(shown);
  };
