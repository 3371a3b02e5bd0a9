import { refundRecordOf } from '../../../shared/checkout/refund-record.ts';
import type { CheckoutCaller } from '../../../shared/http/checkout-surface.ts';
import type { Reply, RequestOf } from '../../../shared/http/contract.ts';
import type { RefundStore } from '../../../shared/table/checkout/refund-store.ts';
import type { listRefundsContract } from './contract.ts';

export interface ListRefundsNeeds {
  readonly refunds: Pick<RefundStore, 'listOfAccount'>;
}

/** One page of the refunds of the caller’s account and mode. */
export const listRefunds =
  ({ refunds }: ListRefundsNeeds) =>
  async ({
    account,
    livemode,
    query: { status, from: fromMs, to: toMs, invoiceId, cursor, limit },
  }: RequestOf<typeof listRefundsContract> & CheckoutCaller): Promise<Reply<typeof listRefundsContract>> => {
    const { page, pagination } = await refunds.listOfAccount(
      account,
      { livemode, invoiceId, fromMs, toMs },
      { cursor, limit },
      (refund) => status === undefined || refund.status === status,
    );
    return { data: page.map(refundRecordOf), pagination };
  };
