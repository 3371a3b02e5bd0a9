import type { Reply, RequestOf } from '../../../shared/http/contract.ts';
import { Fault } from '../../../shared/kit/fault.ts';
import type { CallbackUrls } from '../../../shared/messages/callback-urls.ts';
import type { AccountStore } from '../../../shared/table/accounts/account-store.ts';
import type { listCallbackUrlsContract } from './contract.ts';

export interface ListCallbackUrlsNeeds {
  readonly accounts: Pick<AccountStore, 'find'>;
  readonly callbackUrls: CallbackUrls;
}

/** What an operator enters at an account's providers. */
export const listCallbackUrls =
  ({ accounts, callbackUrls }: ListCallbackUrlsNeeds) =>
  async ({ path }: RequestOf<typeof listCallbackUrlsContract>): Promise<Reply<typeof listCallbackUrlsContract>> => {
    const account = await accounts.find(path.id);
    if (!account) throw new Fault('not_found', 'No account has this id.');
    return callbackUrls.of(account.ref);
  };
