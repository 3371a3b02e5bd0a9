import { paymentRecordOf } from '../../../shared/checkout/payment-record.ts';
import type { Reply, RequestOf } from '../../../shared/http/contract.ts';
import { existing } from '../../../shared/kit/not-found.ts';
import type { AccountStore } from '../../../shared/table/accounts/account-store.ts';
import type { PaymentStore } from '../../../shared/table/checkout/payment-store.ts';
import type { listPaymentsContract } from './contract.ts';

export interface ListPaymentsNeeds {
  readonly accounts: Pick<AccountStore, 'find'>;
  readonly payments: Pick<PaymentStore, 'listOfAccount'>;
}

/** One page of an account's payments, for an operator to see which hang and why. */
export const listPayments =
  ({ accounts, payments }: ListPaymentsNeeds) =>
  async ({
    path,
    query: { mark, cursor, limit },
  }: RequestOf<typeof listPaymentsContract>): Promise<Reply<typeof listPaymentsContract>> => {
    const account = existing('account_not_found', await accounts.find(path.id));
    const { page, pagination } = await payments.listOfAccount(
      account.ref,
      {},
      { cursor, limit },
      ({ payment }) => mark === undefined || payment.mark === mark,
    );
    const byState = Map.groupBy(page, ({ payment: { status, mark } }) => (mark === 'held' ? 'HELD' : status));
    return {
      data: page.map(({ payment }) => paymentRecordOf(payment)),
      states: Object.fromEntries([...byState].map(([state, payments]) => [state, payments.length])),
      pagination,
    };
  };
