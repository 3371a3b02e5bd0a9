import { shown } from '../../../shared/checkout/methods.ts';
import type { Reply, RequestOf } from '../../../shared/http/contract.ts';
import { existing } from '../../../shared/kit/not-found.ts';
import type { AccountStore } from '../../../shared/table/accounts/account-store.ts';
import type { MethodStore } from '../../../shared/table/checkout/method-store.ts';
import type { setCheckoutMethodsContract } from './contract.ts';

export interface SetCheckoutMethodsNeeds {
  readonly accounts: Pick<AccountStore, 'find'>;
  readonly methods: Pick<MethodStore, 'replace'>;
}

/** Applies to new sessions. An existing method keeps its id and, unless new ones are sent, its credentials. */
export const setCheckoutMethods =
  ({ accounts, methods }: SetCheckoutMethodsNeeds) =>
  async ({
    path,
    body,
    newId,
  }: RequestOf<typeof setCheckoutMethodsContract>): Promise<Reply<typeof setCheckoutMethodsContract>> => {
    const account = existing('account_not_found', await accounts.find(path.id));
    return (await methods.replace(account.ref, body, newId)).map(shown);
  };
