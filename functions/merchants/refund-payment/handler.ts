import { ownOf } from '../../../shared/checkout/own.ts';
import { refundAnswerOf } from '../../../shared/checkout/refund-record.ts';
import { requestRefund } from '../../../shared/checkout/request-refund.ts';
import type { CheckoutCaller } from '../../../shared/http/checkout-surface.ts';
import type { KeyedRequest, Reply, RequestOf } from '../../../shared/http/contract.ts';
import { existing } from '../../../shared/kit/not-found.ts';
import type { PaymentStore } from '../../../shared/table/checkout/payment-store.ts';
import type { RefundStore } from '../../../shared/table/checkout/refund-store.ts';
import type { refundPaymentContract } from './contract.ts';

export interface RefundPaymentNeeds {
  readonly payments: Pick<PaymentStore, 'findById'>;
  readonly refunds: Pick<RefundStore, 'add' | 'findByIdempotencyKey'>;
}

type Answer = Reply<typeof refundPaymentContract>;

/** Refunds a payment of the caller’s account and mode. */
export const refundPayment = ({ payments, refunds }: RefundPaymentNeeds) => ({
  handle: async ({
    path,
    body,
    newId: id,
    nowMs,
    idempotencyKey,
    ...caller
  }: RequestOf<typeof refundPaymentContract> & CheckoutCaller): Promise<Answer> => {
    const found = existing('payment_not_found', ownOf(caller, await payments.findById(path.id)));
    return requestRefund({ refunds }, found, { id, ...body, nowMs, idempotencyKey }, 'conflict');
  },

  recall: async ({
    path,
    idempotencyKey,
    ...caller
  }: KeyedRequest<typeof refundPaymentContract> & CheckoutCaller): Promise<Answer | undefined> => {
    const found = ownOf(caller, await payments.findById(path.id));
    const refund = found && (await refunds.findByIdempotencyKey(found, idempotencyKey));
    return refund && refundAnswerOf(refund, true);
  },
});
