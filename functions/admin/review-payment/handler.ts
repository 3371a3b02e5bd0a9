import { paymentRecordOf } from '../../../shared/checkout/payment-record.ts';
import { mostToReturn, settlementOfReview } from '../../../shared/checkout/settle-review.ts';
import { type Facts, waitsForAnother } from '../../../shared/checkout/settlement.ts';
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

const whyNot = (facts: Facts): string => {
  if (facts.payment.mark !== 'held') return 'This payment is not held for review, or has been reviewed already.';
  return waitsForAnother(facts)
    ? 'Another payment of this session is in progress. Decide again when that has ended.'
    : 'This payment can no longer complete its session. Refund what the gateway has or, if it has no money, reject it.';
};

/** Applies a review to a held payment, once. If the payment changed meanwhile, the review is decided again. */
export const reviewPayment =
  ({ accounts, payments }: ReviewPaymentNeeds) =>
  async (request: RequestOf<typeof reviewPaymentContract>): Promise<Reply<typeof reviewPaymentContract>> => {
    const { path, body, newId: refundId, nowMs } = request;
    const found = existing('payment_not_found', await payments.findById(path.paymentId));
    const { account, session, payment } = found;
    const acceptsLatePayments = (await accounts.find(account.id))?.checkout.acceptsLatePayments ?? false;
    const facts = { session, payment, acceptsLatePayments, refundId, nowMs };
    const { decision, reason, amountMinor } = body;
    const review = settlementOfReview(facts, { decision, reason, amountMinor });
    if (!review) throw new Fault('conflict', whyNot(facts));
    if (amountMinor !== undefined && amountMinor > mostToReturn(payment))
      throw new Fault('invalid_request', `amountMinor: must be at most ${mostToReturn(payment)}`);
    if (!(await payments.saveSettlement(found, review))) return reviewPayment({ accounts, payments })(request);
    log('info', 'held payment reviewed', { accountId: account.id, paymentId: payment.id, decision });
    return paymentRecordOf({ ...payment, ...review.payment });
  };
