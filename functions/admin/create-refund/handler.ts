import { refundAnswerOf } from '../../../shared/checkout/refund-record.ts';
import { requestRefund } from '../../../shared/checkout/request-refund.ts';
import type { KeyedRequest, Reply, RequestOf } from '../../../shared/http/contract.ts';
import { existing } from '../../../shared/kit/not-found.ts';
import { keyOfPeople } from '../../../shared/people/idempotency-key.ts';
import type { PaymentStore } from '../../../shared/table/checkout/payment-store.ts';
import type { RefundStore } from '../../../shared/table/checkout/refund-store.ts';
import type { createRefundContract } from './contract.ts';

export interface CreateRefundNeeds {
  readonly payments: Pick<PaymentStore, 'findById'>;
  readonly refunds: Pick<RefundStore, 'add' | 'findByIdempotencyKey'>;
}

type Answer = Reply<typeof createRefundContract>;

/** Refunds a payment of any account. */
export const createRefund = ({ payments, refunds }: CreateRefundNeeds) => ({
  handle: async ({
    path,
    body,
    newId: id,
    nowMs,
    idempotencyKey,
  }: RequestOf<typeof createRefundContract>): Promise<Answer> => {
    const found = existing('payment_not_found', await payments.findById(path.paymentId));
    const key = idempotencyKey === undefined ? undefined : keyOfPeople('people', idempotencyKey);
    const wish = { id, ...body, nowMs, idempotencyKey: key };
    return requestRefund({ refunds }, found, wish, 'payment_not_refundable');
  },

  recall: async ({ path, idempotencyKey }: KeyedRequest<typeof createRefundContract>): Promise<Answer | undefined> => {
    const found = await payments.findById(path.paymentId);
    const refund = found && (await refunds.findByIdempotencyKey(found, keyOfPeople('people', idempotencyKey)));
    return refund && refundAnswerOf(refund, true);
  },
});
