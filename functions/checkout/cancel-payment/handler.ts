import { pagePaths } from '../../../shared/checkout/page/sale.ts';
import { settlementOfCancellation } from '../../../shared/checkout/settle-payment.ts';
import type { PageAnswer, PageVisit } from '../../../shared/http/checkout-page.ts';
import { existing } from '../../../shared/kit/not-found.ts';
import type { PaymentStore } from '../../../shared/table/checkout/payment-store.ts';

export interface CancelPaymentNeeds {
  readonly payments: Pick<PaymentStore, 'find' | 'saveSettlement'>;
}

/**
 * Cancels a payment, so that the payer can choose again. One that may have succeeded is not cancelled yet: its waiting screen shows its end.
 * Money that arrives for one that was is refunded.
 */
export const cancelPayment =
  ({ payments }: CancelPaymentNeeds) =>
  async (visit: PageVisit): Promise<PageAnswer> => {
    const { path, nowMs } = visit;
    const found = existing('session_not_found', await payments.find(path['id'] ?? '', path['paymentId'] ?? ''));
    const cancellation = settlementOfCancellation(found, nowMs);
    if (!cancellation) return { seeOther: pagePaths.afterGateway(found.payment) };
    if (await payments.saveSettlement(found, cancellation)) return { seeOther: pagePaths.page(found.session.id) };
    return cancelPayment({ payments })(visit);
  };
