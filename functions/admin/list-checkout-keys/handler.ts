import type { Reply, RequestOf } from '../../../shared/http/contract.ts';
import { bytesInAnswer, cursorPage } from '../../../shared/kit/cursor-page.ts';
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
  async ({
    path: { id },
    query: { cursor, limit },
  }: RequestOf<typeof listCheckoutKeysContract>): Promise<Reply<typeof listCheckoutKeysContract>> => {
    existing('account_not_found', await accounts.find(id));
    const list = (most: number) => checkoutKeys.list(id, { cursor, limit: most });
    const { page, pagination } = await cursorPage(limit, list, bytesInAnswer);
    return { data: page, pagination };
  };
