import type { Reply, RequestOf } from '../../../shared/http/contract.ts';
import { existing } from '../../../shared/kit/not-found.ts';
import type { AccountStore } from '../../../shared/table/accounts/account-store.ts';
import type { CheckoutKeyStore } from '../../../shared/table/checkout/checkout-key-store.ts';
import type { listCheckoutKeysContract } from './contract.ts';

export interface ListCheckoutKeysNeeds {
  readonly accounts: Pick<AccountStore, 'find'>;
  readonly checkoutKeys: Pick<CheckoutKeyStore, 'list'>;
}

/** Keys by name and prefix; the keys themselves are not stored. */
export const listCheckoutKeys =
  ({ accounts, checkoutKeys }: ListCheckoutKeysNeeds) =>
  async ({ path }: RequestOf<typeof listCheckoutKeysContract>): Promise<Reply<typeof listCheckoutKeysContract>> => {
    existing('account_not_found', await accounts.find(path.id));
    return checkoutKeys.list(path.id);
  };
