import type { Refund } from '../../client/checkout.ts';
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

const filters: readonly Filter[] = [
  { name: 'invoiceId', label: 'Invoice', kind: 'search', placeholder: 'Whole invoice or refund id', takesIds: true },
  {
    name: 'status',
    label: 'Status',
    choices: ['PENDING', 'SUCCEEDED', 'FAILED'].map((name) => [name, sentence(name)]),
  },
  ...periodFilters,
];

const columns: readonly Column<Refund>[] = [
  {
    label: 'Amount',
    cell: ({ amountMinor, currency }) => <strong class="nowrap">{money(amountMinor, currency)}</strong>,
  },
  { label: 'Status', cell: ({ status }) => <Status of={status} /> },
  { label: 'Origin', cell: ({ isAutomatic }) => (isAutomatic ? 'Automatic' : 'Requested') },
  { label: 'Reason', cell: ({ reason, failureReason }) => failureReason ?? reason ?? '' },
  { label: 'Created', cell: ({ createdAt }) => <Time at={createdAt} /> },
];

/** All refunds; each leads to its payment. */
export const Refunds = () => {
  const { id } = useAccount();
  const href = useHref();
  const mode = useMode();
  return (
    <Screen title="Refunds" intro="Money that went back, or is on its way." actions={<ModeSwitch />}>
      <List
        key={mode}
        caption="Refunds"
        read={async (page) =>
          pageOf(
            await checkoutApi(id, mode === 'live').call('GET /refunds', { query: { limit: 25, ...withPeriod(page) } }),
          )
        }
        columns={columns}
        keyOf={(refund) => refund.id}
        hrefOf={({ paymentId }) => href(`/payments/${paymentId}?mode=${mode}`)}
        filters={filters}
        empty={<Empty title={`No ${mode} refunds yet`}>Open a payment to refund it.</Empty>}
      />
    </Screen>
  );
};
