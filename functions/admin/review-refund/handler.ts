import { refundRecordOf } from '../../../shared/checkout/refund-record.ts';
import { reviewedRefund } from '../../../shared/checkout/refund-review.ts';
import type { Reply, RequestOf } from '../../../shared/http/contract.ts';
import { Fault } from '../../../shared/kit/fault.ts';
import { log } from '../../../shared/kit/log.ts';
import { existing } from '../../../shared/kit/not-found.ts';
import type { PaymentStore } from '../../../shared/table/checkout/payment-store.ts';
import type { RefundStore } from '../../../shared/table/checkout/refund-store.ts';
import type { reviewRefundContract } from './contract.ts';

export interface ReviewRefundNeeds {
  readonly payments: Pick<PaymentStore, 'findById'>;
  readonly refunds: Pick<RefundStore, 'find' | 'saveAnswer'>;
}

/** Settles a refund by what a person has found out at its gateway, once. If the refund changed meanwhile, it is decided again. */
export const reviewRefund =
  ({ payments, refunds }: ReviewRefundNeeds) =>
  async (request: RequestOf<typeof reviewRefundContract>): Promise<Reply<typeof reviewRefundContract>> => {
    const { path, body, nowMs } = request;
    const { payment } = existing('payment_not_found', await payments.findById(path.paymentId));
    const found = existing('refund_not_found', await refunds.find(payment.sessionId, path.refundId));
    const { refund } = found;
    if (refund.paymentId !== payment.id) throw new Fault('refund_not_found', 'No refund of this payment has this id.');
    const change = reviewedRefund(refund, body, nowMs);
    if (!(await refunds.saveAnswer(found, change))) return reviewRefund({ payments, refunds })(request);
    const ids = { accountId: refund.accountId, paymentId: payment.id, refundId: refund.id };
    log('info', 'open refund reviewed', { ...ids, status: body.status });
    return refundRecordOf({ ...refund, ...change });
  };
