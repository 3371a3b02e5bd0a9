import type { Reply, RequestOf } from '../../../shared/http/contract.ts';
import { Fault } from '../../../shared/kit/fault.ts';
import type { Accounts } from '../../../shared/table/accounts/account-store.ts';
import type { CheckoutKeys } from '../../../shared/table/checkout/checkout-key-store.ts';
import type { listCheckoutKeysContract } from './contract.ts';

export interface ListCheckoutKeysNeeds {
  readonly accounts: Pick<Accounts, 'find'>;
  readonly checkoutKeys: Pick<CheckoutKeys, 'list'>;
}

/** Keys by name and beginning; the keys themselves are not kept. */
export const listCheckoutKeys =
  ({ accounts, checkoutKeys }: ListCheckoutKeysNeeds) =>
  async ({ path }: RequestOf<typeof listCheckoutKeysContract>): Promise<Reply<typeof listCheckoutKeysContract>> => {
    if (!(await accounts.find(path.id))) throw new Fault('not_found', 'No account has this id.');
    return checkoutKeys.list(path.id);
  };
