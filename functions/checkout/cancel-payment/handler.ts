import type { Queue } from '../../../shared/aws/queue.ts';
import { mayBeCharged } from '../../../shared/checkout/checks.ts';
import type { PaymentJob } from '../../../shared/checkout/jobs.ts';
import { pagePaths } from '../../../shared/checkout/page/sale.ts';
import type { PaymentResolver } from '../../../shared/checkout/resolve.ts';
import { isSimulated } from '../../../shared/checkout/simulation.ts';
import type { PageAnswer, PageVisit } from '../../../shared/http/checkout-page.ts';
import { existing } from '../../../shared/kit/not-found.ts';
import type { PaymentStore } from '../../../shared/table/checkout/payment-store.ts';

export interface CancelPaymentNeeds {
  readonly payments: Pick<PaymentStore, 'find'>;
  readonly resolver: Pick<PaymentResolver, 'cancel'>;
  readonly paymentsQueue: Queue<PaymentJob>;
}

/**
 * Cancels a payment, so that the payer can choose again. One that may have succeeded already is not cancelled: its waiting screen shows its end.
 * A worker asks a real gateway, because the payer would wait for it here. Money that arrives for a cancelled payment is refunded.
 */
export const cancelPayment =
  ({ payments, resolver, paymentsQueue }: CancelPaymentNeeds) =>
  async ({ path, nowMs }: PageVisit): Promise<PageAnswer> => {
    const found = existing('session_not_found', await payments.find(path['id'] ?? '', path['paymentId'] ?? ''));
    if (found.payment.status === 'PENDING' && mayBeCharged(found.payment) && !isSimulated(found.payment)) {
      await paymentsQueue.send([{ kind: 'cancel', session: found.session.id, payment: found.payment.id }]);
      return { seeOther: pagePaths.afterGateway(found.payment) };
    }
    const { session, payment } = await resolver.cancel(found, nowMs);
    return { seeOther: payment.mark === 'cancelled' ? pagePaths.page(session.id) : pagePaths.afterGateway(payment) };
  };
