import type { Queue } from '../../../shared/aws/queue.ts';
import type { CheckoutAddresses } from '../../../shared/checkout/addresses.ts';
import { mayFindMoney } from '../../../shared/checkout/checks.ts';
import { isCoveredReturn } from '../../../shared/checkout/confirmation.ts';
import type { FoundPayment } from '../../../shared/checkout/payment.ts';
import { type PaymentJob, returnWord } from '../../../shared/checkout/payment-job.ts';
import { paymentIdOfToken } from '../../../shared/checkout/return-token.ts';
import type { PageAnswer, PageVisit } from '../../../shared/http/checkout-page.ts';
import { Fault } from '../../../shared/kit/fault.ts';
import { isSameText } from '../../../shared/kit/same-text.ts';
import type { PaymentStore } from '../../../shared/table/checkout/payment-store.ts';

export interface ReturnFromGatewayNeeds {
  readonly payments: Pick<PaymentStore, 'findById' | 'claimPoll' | 'claimReturn'>;
  readonly addresses: CheckoutAddresses;
  readonly paymentsQueue: Queue<PaymentJob>;
}

/**
 * The payer's browser returns from the gateway, by GET or a form, without cookies, and is redirected to the waiting page.
 * What it brings proves nothing: the gateway is asked. bKash's word, if it is one, goes along, for without it nothing would be made final.
 * A payer may also pay in a further try at the gateway, after an earlier one had failed and ended the payment.
 */
export const returnFromGateway = ({ payments, addresses, paymentsQueue }: ReturnFromGatewayNeeds) => {
  const enqueue = async (found: FoundPayment, word: string | undefined, nowMs: number): Promise<void> => {
    const { account, session, payment } = found;
    const ids = { account: account.id, session: session.id, payment: payment.id };
    const returned = returnWord.safeParse(word).data;
    if (returned && payment.status === 'PENDING' && !payment.confirmationClaim) {
      // Nothing else says soon that the payer has agreed, so that is never left out.
      const isAgreement = returned === 'success' && payment.mark !== 'held';
      if (isAgreement ? isCoveredReturn(payment, nowMs) : !(await payments.claimReturn(found, nowMs))) return;
      await paymentsQueue.send([{ kind: 'confirm', ...ids, returned, returnedMs: nowMs, attempt: 1 }]);
    } else if (await payments.claimPoll(found, nowMs)) {
      await paymentsQueue.send([{ kind: 'resolve', ...ids }]);
    }
  };

  return async ({ path, query, isPrefetchOrHead, nowMs }: PageVisit): Promise<PageAnswer> => {
    const token = path['returnToken'] ?? '';
    const found = await payments.findById(paymentIdOfToken(token) ?? '');
    if (!found || !isSameText(token, found.payment.returnToken))
      throw new Fault('session_not_found', 'No payment has this return URL.');
    const mayHaveNews = found.payment.status === 'PENDING' || mayFindMoney(found.payment);
    if (mayHaveNews && !isPrefetchOrHead) await enqueue(found, query['status'], nowMs);
    return { seeOther: addresses.afterGateway(found.payment) };
  };
};
