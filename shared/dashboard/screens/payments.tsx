import type { CheckoutPayment } from '../../client/checkout.ts';
import { checkoutApi } from '../apis.ts';
import { money } from '../parts/amount.ts';
import type { Filter } from '../parts/filters.tsx';
import { type Column, List, pageOf } from '../parts/list.tsx';
import { ModeSwitch, useMode } from '../parts/mode.tsx';
import { periodFilters, withPeriod } from '../parts/period.ts';
import { Screen, useHref } from '../parts/screen.tsx';
import { Empty } from '../parts/trouble.tsx';
import { Status, sentence, Time } from '../parts/words.tsx';
import { useAccount } from '../session.ts';

const statuses = ['PENDING', 'SUCCEEDED', 'FAILED', 'EXPIRED'] as const;
const filters: readonly Filter[] = [
  { name: 'invoiceId', label: 'Invoice', kind: 'search', placeholder: 'Whole invoice or payment id', takesIds: true },
  { name: 'status', label: 'Status', choices: statuses.map((name) => [name, sentence(name)]) },
  ...periodFilters,
];

const columns: readonly Column<CheckoutPayment>[] = [
  {
    label: 'Amount',
    cell: ({ amountMinor, currency }) => <strong class="nowrap">{money(amountMinor, currency)}</strong>,
  },
  { label: 'Status', cell: ({ status }) => <Status of={status} /> },
  {
    label: 'Refunded',
    cell: ({ refundedMinor, currency }) =>
      refundedMinor > 0 ? <span class="nowrap">{money(refundedMinor, currency)}</span> : '',
  },
  { label: 'Method', cell: ({ displayLabel }) => displayLabel },
  { label: 'Invoice', cell: ({ invoiceId }) => invoiceId ?? '' },
  { label: 'Why', cell: ({ failureReason }) => failureReason ?? '' },
  { label: 'Created', cell: ({ createdAt }) => <Time at={createdAt} /> },
];

export const Payments = () => {
  const { id } = useAccount();
  const href = useHref();
  const mode = useMode();
  return (
    <Screen title="Payments" intro="Every attempt of a customer to pay." actions={<ModeSwitch />}>
      <List
        key={mode}
        caption="Payments"
        read={async (page) =>
          pageOf(
            await checkoutApi(id, mode === 'live').call('GET /payments', { query: { limit: 25, ...withPeriod(page) } }),
          )
        }
        columns={columns}
        keyOf={(payment) => payment.id}
        hrefOf={(payment) => href(`/payments/${payment.id}?mode=${mode}`)}
        filters={filters}
        empty={
          <Empty title={`No ${mode} payments yet`}>
            Create a checkout session with a {mode} key, and send your customer to its URL.
          </Empty>
        }
      />
    </Screen>
  );
};
