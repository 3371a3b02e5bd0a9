import type { PaymentJobOf } from '../../../shared/checkout/jobs.ts';
import type { PaymentResolver } from '../../../shared/checkout/resolve.ts';
import type { PaymentStore } from '../../../shared/table/checkout/payment-store.ts';

export interface CancelPaymentNeeds {
  readonly payments: Pick<PaymentStore, 'find'>;
  readonly resolver: Pick<PaymentResolver, 'cancel'>;
}

/** Cancels a payment that its payer gives up, unless it may have succeeded. */
export const cancelPayment =
  ({ payments, resolver }: CancelPaymentNeeds) =>
  async ({ session, payment }: PaymentJobOf<'cancel'>, nowMs: number): Promise<void> => {
    const found = await payments.find(session, payment);
    if (found) await resolver.cancel(found, nowMs);
  };
