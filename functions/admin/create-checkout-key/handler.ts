import { refuseRaisedLimit } from '../../../shared/accounts/raised-limit.ts';
import { makeCheckoutKey } from '../../../shared/checkout/checkout-key.ts';
import type { Reply, RequestOf } from '../../../shared/http/contract.ts';
import type { PeopleCaller } from '../../../shared/http/people-surface.ts';
import { existing } from '../../../shared/kit/not-found.ts';
import type { AccountStore } from '../../../shared/table/accounts/account-store.ts';
import type { CheckoutKeyStore } from '../../../shared/table/checkout/checkout-key-store.ts';
import type { createCheckoutKeyContract } from './contract.ts';

export interface CreateCheckoutKeyNeeds {
  readonly accounts: Pick<AccountStore, 'find'>;
  readonly checkoutKeys: Pick<CheckoutKeyStore, 'create'>;
}

/** A key works at once, until it is revoked. Only its hash is stored. */
export const createCheckoutKey =
  ({ accounts, checkoutKeys }: CreateCheckoutKeyNeeds) =>
  async ({
    path,
    body: { allowedOrigins, redirectHosts, maxAmountMinor, ...fields },
    newId,
    nowMs,
    caller,
  }: RequestOf<typeof createCheckoutKeyContract> & PeopleCaller): Promise<Reply<typeof createCheckoutKeyContract>> => {
    refuseRaisedLimit(caller, fields);
    const account = existing('account_not_found', await accounts.find(path.id));
    const key = makeCheckoutKey(fields.kind, fields.livemode);
    const limits = { allowedOrigins, redirectHosts, maxAmountMinor };
    const made = await checkoutKeys.create(account.ref, key, { ...fields, id: newId, limits }, nowMs);
    return { ...made, key, secret: key };
  };
