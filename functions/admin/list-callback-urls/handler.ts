import type { Reply, RequestOf } from '../../../shared/http/contract.ts';
import { existing } from '../../../shared/kit/not-found.ts';
import type { CallbackUrls } from '../../../shared/messages/callback-urls.ts';
import type { AccountStore } from '../../../shared/table/accounts/account-store.ts';
import type { listCallbackUrlsContract } from './contract.ts';

export interface ListCallbackUrlsNeeds {
  readonly accounts: Pick<AccountStore, 'find'>;
  readonly callbackUrls: CallbackUrls;
}

/** The URLs that a developer registers at an account's providers. */
export const listCallbackUrls =
  ({ accounts, callbackUrls }: ListCallbackUrlsNeeds) =>
  async ({ path }: RequestOf<typeof listCallbackUrlsContract>): Promise<Reply<typeof listCallbackUrlsContract>> => {
    const account = existing('account_not_found', await accounts.find(path.id));
    return callbackUrls.of(account);
  };
