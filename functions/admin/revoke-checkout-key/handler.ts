import type { Reply, RequestOf } from '../../../shared/http/contract.ts';
import { Fault } from '../../../shared/kit/fault.ts';
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
    if (!(await checkoutKeys.revoke(path.keyId, nowMs))) throw new Fault('not_found', 'No checkout key has this id.');
  };
