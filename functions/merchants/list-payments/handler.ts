import { paymentStatusAt, paymentViewOf } from '../../../shared/checkout/payment-view.ts';
import type { CheckoutCaller } from '../../../shared/http/checkout-surface.ts';
import type { Reply, RequestOf } from '../../../shared/http/contract.ts';
import { fittingPage } from '../../../shared/kit/cursor-page.ts';
import type { MethodStore } from '../../../shared/table/checkout/method-store.ts';
import type { PaymentStore } from '../../../shared/table/checkout/payment-store.ts';
import type { listPaymentsContract } from './contract.ts';

export interface ListPaymentsNeeds {
  readonly payments: Pick<PaymentStore, 'listOfAccount'>;
  readonly methods: Pick<MethodStore, 'listKnown'>;
}

/** One page of the payments of the caller’s account and mode. */
export const listPayments =
  ({ payments, methods }: ListPaymentsNeeds) =>
  async ({
    account,
    livemode,
    query: { status, from: fromMs, to: toMs, invoiceId, cursor, limit },
    nowMs,
  }: RequestOf<typeof listPaymentsContract> & CheckoutCaller): Promise<Reply<typeof listPaymentsContract>> => {
    const [{ page, pagination }, known] = await Promise.all([
      payments.listOfAccount(
        account,
        { livemode, invoiceId, fromMs, toMs },
        { cursor, limit },
        (found) => status === undefined || paymentStatusAt(found, nowMs) === status,
      ),
      methods.listKnown(account),
    ]);
    const views = page.map((found) => paymentViewOf(found, { methods: known, nowMs }));
    const fitting = fittingPage({ page: views, pagination });
    return { data: fitting.page, pagination: fitting.pagination };
  };
