import type { Reply, RequestOf } from '../../../shared/http/contract.ts';
import { notFound } from '../../../shared/kit/not-found.ts';
import type { CheckoutKeyStore } from '../../../shared/table/checkout/checkout-key-store.ts';
import type { revokeCheckoutKeyContract } from './contract.ts';

export interface RevokeCheckoutKeyNeeds {
  readonly checkoutKeys: Pick<CheckoutKeyStore, 'revoke'>;
}

/** The key's next request is refused. Revoking it again changes nothing. */
export const revokeCheckoutKey =
  ({ checkoutKeys }: RevokeCheckoutKeyNeeds) =>
  async ({
    path,
    nowMs,
  }: RequestOf<typeof revokeCheckoutKeyContract>): Promise<Reply<typeof revokeCheckoutKeyContract>> => {
    if (!(await checkoutKeys.revoke(path.keyId, nowMs))) throw notFound('checkout_key_not_found');
  };
