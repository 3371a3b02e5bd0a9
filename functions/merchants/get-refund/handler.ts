import { ownOf } from '../../../shared/checkout/own.ts';
import { refundRecordOf } from '../../../shared/checkout/refund-record.ts';
import type { CheckoutCaller } from '../../../shared/http/checkout-surface.ts';
import type { Reply, RequestOf } from '../../../shared/http/contract.ts';
import { existing } from '../../../shared/kit/not-found.ts';
import type { RefundStore } from '../../../shared/table/checkout/refund-store.ts';
import type { getRefundContract } from './contract.ts';

export interface GetRefundNeeds {
  readonly refunds: Pick<RefundStore, 'findById'>;
}

/** A refund of the caller’s account and mode, requested by any of its keys, or by an owner or operator. */
export const getRefund =
  ({ refunds }: GetRefundNeeds) =>
  async ({
    path,
    ...caller
  }: RequestOf<typeof getRefundContract> & CheckoutCaller): Promise<Reply<typeof getRefundContract>> => {
    const found = existing('refund_not_found', ownOf(caller, await refunds.findById(path.id)));
    return refundRecordOf(found.refund);
  };
