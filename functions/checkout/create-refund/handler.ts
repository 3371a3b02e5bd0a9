import { newRefund, refundRecordOf } from '../../../shared/checkout/refund.ts';
import type { Reply, RequestOf } from '../../../shared/http/contract.ts';
import { Fault } from '../../../shared/kit/fault.ts';
import type { Checkouts } from '../../../shared/table/checkout-storage.ts';
import type { Refunds } from '../../../shared/table/refund-storage.ts';
import type { createRefundContract } from './contract.ts';

export interface CreateRefundNeeds {
  readonly checkouts: Pick<Checkouts, 'payment'>;
  readonly refunds: Pick<Refunds, 'add'>;
}

/** Takes a refund off what is left of its payment. That it exists has it worked on: the table's stream tells the worker. */
export const createRefund =
  ({ checkouts, refunds }: CreateRefundNeeds) =>
  async ({
    path,
    body,
    newId: id,
    nowMs,
    idempotencyKey,
  }: RequestOf<typeof createRefundContract>): Promise<Reply<typeof createRefundContract>> => {
    const found = await checkouts.payment(path.paymentId);
    if (!found) throw new Fault('not_found', 'No payment has this id.');
    const left = found.payment.refundableMinor;
    // Nothing left: one unit is more than there is.
    const amountMinor = body.amountMinor ?? (left || 1);
    const refund = newRefund(found.payment, { id, amountMinor, reason: body.reason, nowMs });
    const added = await refunds.add(found, refund, idempotencyKey);
    if (!added) throw new Fault('payment_not_refundable', `Of this payment ${left} can be refunded, in minor units.`);
    return {
      data: refundRecordOf(added.refund),
      headers: added.isReplay ? { 'Idempotent-Replay': 'true' } : {},
    };
  };
