import type { Refund } from '../../../shared/checkout/payment.ts';
import { newRefund, refundRecordOf } from '../../../shared/checkout/refund.ts';
import type { KeyedRequest, Reply, RequestOf } from '../../../shared/http/contract.ts';
import { Fault } from '../../../shared/kit/fault.ts';
import { existing } from '../../../shared/kit/not-found.ts';
import type { PaymentStore } from '../../../shared/table/checkout/payment-store.ts';
import type { RefundStore } from '../../../shared/table/checkout/refund-store.ts';
import type { createRefundContract } from './contract.ts';

export interface CreateRefundNeeds {
  readonly payments: Pick<PaymentStore, 'findById'>;
  readonly refunds: Pick<RefundStore, 'add' | 'findByIdempotencyKey'>;
}

type Answer = Reply<typeof createRefundContract>;

const answerOf = (refund: Refund, isReplay: boolean): Answer => ({
  data: refundRecordOf(refund),
  headers: isReplay ? { 'Idempotent-Replay': 'true' } : {},
});

/** Creates a refund of the remaining amount of a payment. Inserting it starts the worker. */
export const createRefund = ({ payments, refunds }: CreateRefundNeeds) => ({
  handle: async ({
    path,
    body,
    newId: id,
    nowMs,
    idempotencyKey,
  }: RequestOf<typeof createRefundContract>): Promise<Answer> => {
    const found = existing('payment_not_found', await payments.findById(path.paymentId));
    const left = found.payment.refundableMinor;
    // Nothing left: one unit is more than there is.
    const amountMinor = body.amountMinor ?? (left || 1);
    const refund = newRefund(found.payment, { id, amountMinor, reason: body.reason, nowMs });
    const added = await refunds.add(found, refund, idempotencyKey);
    if (!added)
      throw new Fault('payment_not_refundable', `At most ${left} (minor units) of this payment can be refunded.`);
    return answerOf(added.refund, added.isReplay);
  },

  recall: async ({ path, idempotencyKey }: KeyedRequest<typeof createRefundContract>): Promise<Answer | undefined> => {
    const found = await payments.findById(path.paymentId);
    const refund = found && (await refunds.findByIdempotencyKey(found, idempotencyKey));
    return refund && answerOf(refund, true);
  },
});
