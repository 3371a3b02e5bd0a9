import { paymentRecordOf } from '../../../shared/checkout/payment-record.ts';
import { paymentStatusAt } from '../../../shared/checkout/payment-view.ts';
import type { Reply, RequestOf } from '../../../shared/http/contract.ts';
import { existing } from '../../../shared/kit/not-found.ts';
import type { AccountStore } from '../../../shared/table/accounts/account-store.ts';
import type { PaymentStore } from '../../../shared/table/checkout/payment-store.ts';
import type { listPaymentsContract } from './contract.ts';

export interface ListPaymentsNeeds {
  readonly accounts: Pick<AccountStore, 'find'>;
  readonly payments: Pick<PaymentStore, 'listOfAccount'>;
}

/** One page of an account's payments, for a person to see which hang and why. */
export const listPayments =
  ({ accounts, payments }: ListPaymentsNeeds) =>
  async ({
    path,
    query: { mark, cursor, limit },
    nowMs,
  }: RequestOf<typeof listPaymentsContract>): Promise<Reply<typeof listPaymentsContract>> => {
    const account = existing('account_not_found', await accounts.find(path.id));
    const { page, pagination } = await payments.listOfAccount(
      account.ref,
      {},
      { cursor, limit },
      ({ payment }) => mark === undefined || payment.mark === mark,
    );
    const found = page.map((each) => ({ ...each.payment, status: paymentStatusAt(each, nowMs) }));
    const byState = Map.groupBy(found, ({ status, mark }) => (mark === 'held' ? 'HELD' : status));
    return {
      data: found.map(paymentRecordOf),
      states: Object.fromEntries([...byState].map(([state, payments]) => [state, payments.length])),
      pagination,
    };
  };
