import type { Payment } from '../../../shared/checkout/payment.ts';
import { paymentRecordOf } from '../../../shared/checkout/payment-record.ts';
import { settlementOfReview } from '../../../shared/checkout/settle-review.ts';
import type { Reply, RequestOf } from '../../../shared/http/contract.ts';
import { Fault } from '../../../shared/kit/fault.ts';
import { log } from '../../../shared/kit/log.ts';
import { existing } from '../../../shared/kit/not-found.ts';
import type { AccountStore } from '../../../shared/table/accounts/account-store.ts';
import type { PaymentStore } from '../../../shared/table/checkout/payment-store.ts';
import type { reviewPaymentContract } from './contract.ts';

export interface ReviewPaymentNeeds {
  readonly accounts: Pick<AccountStore, 'find'>;
  readonly payments: Pick<PaymentStore, 'findById' | 'saveSettlement'>;
}

const whyNot = ({ mark }: Payment): string =>
  mark === 'held'
    ? 'This payment can no longer complete its session. Refund it or, if the gateway has no money, reject it.'
    : 'This payment is not held for review, or has been reviewed already.';

/** Applies a review to a held payment, once. If the payment changed meanwhile, the review is decided again. */
export const reviewPayment =
  ({ accounts, payments }: ReviewPaymentNeeds) =>
  async (request: RequestOf<typeof reviewPaymentContract>): Promise<Reply<typeof reviewPaymentContract>> => {
    const { path, body, newId: refundId, nowMs } = request;
    const found = existing('payment_not_found', await payments.findById(path.paymentId));
    const { account, session, payment } = found;
    const acceptsLatePayments = (await accounts.find(account.id))?.checkout.acceptsLatePayments ?? false;
    const { decision, reason } = body;
    const review = settlementOfReview({ session, payment, acceptsLatePayments, refundId, nowMs }, { decision, reason });
    if (!review) throw new Fault('conflict', whyNot(payment));
    if (!(await payments.saveSettlement(found, review))) return reviewPayment({ accounts, payments })(request);
    log('info', 'held payment reviewed', { accountId: account.id, paymentId: payment.id, decision });
    return paymentRecordOf({ ...payment, ...review.payment });
  };
