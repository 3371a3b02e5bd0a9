import { orderNumberOf } from '../../../shared/checkout/order-number.ts';
import { refundRecordOf } from '../../../shared/checkout/refund-record.ts';
import { isReviewable } from '../../../shared/checkout/refund-review.ts';
import type { Reply, RequestOf } from '../../../shared/http/contract.ts';
import { existing } from '../../../shared/kit/not-found.ts';
import type { PaymentStore } from '../../../shared/table/checkout/payment-store.ts';
import type { RefundStore } from '../../../shared/table/checkout/refund-store.ts';
import type { listRefundsContract } from './contract.ts';

export interface ListRefundsNeeds {
  readonly payments: Pick<PaymentStore, 'findById'>;
  readonly refunds: Pick<RefundStore, 'list'>;
}

/** Every refund of a payment, the automatic one too. */
export const listRefunds =
  ({ payments, refunds }: ListRefundsNeeds) =>
  async ({ path, nowMs }: RequestOf<typeof listRefundsContract>): Promise<Reply<typeof listRefundsContract>> => {
    const found = existing('payment_not_found', await payments.findById(path.paymentId));
    return (await refunds.list(found)).map((refund) => ({
      ...refundRecordOf(refund),
      ...(isReviewable(refund, nowMs) && { orderNumber: orderNumberOf(refund.id) }),
    }));
  };
