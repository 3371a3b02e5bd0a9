import { ownOf } from '../../../shared/checkout/own.ts';
import { paymentViewOf } from '../../../shared/checkout/payment-view.ts';
import type { CheckoutCaller } from '../../../shared/http/checkout-surface.ts';
import type { Reply, RequestOf } from '../../../shared/http/contract.ts';
import { existing } from '../../../shared/kit/not-found.ts';
import type { MethodStore } from '../../../shared/table/checkout/method-store.ts';
import type { PaymentStore } from '../../../shared/table/checkout/payment-store.ts';
import type { getPaymentContract } from './contract.ts';

export interface GetPaymentNeeds {
  readonly payments: Pick<PaymentStore, 'findById'>;
  readonly methods: Pick<MethodStore, 'listKnown'>;
}

/** A payment of the caller’s account and mode. */
export const getPayment =
  ({ payments, methods }: GetPaymentNeeds) =>
  async ({
    path,
    nowMs,
    ...caller
  }: RequestOf<typeof getPaymentContract> & CheckoutCaller): Promise<Reply<typeof getPaymentContract>> => {
    const found = existing('payment_not_found', ownOf(caller, await payments.findById(path.id)));
    return paymentViewOf(found, { methods: await methods.listKnown(caller.account), nowMs });
  };
