import type { CheckoutSession } from '../../client/checkout.ts';
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
  { name: 'invoiceId', label: 'Invoice', kind: 'search', placeholder: 'Whole invoice or session id', takesIds: true },
  { name: 'status', label: 'Status', choices: ['OPEN', 'COMPLETED', 'EXPIRED'].map((name) => [name, sentence(name)]) },
  ...periodFilters,
];

const columns: readonly Column<CheckoutSession>[] = [
  {
    label: 'Amount',
    cell: ({ amountMinor, currency }) => <strong class="nowrap">{money(amountMinor, currency)}</strong>,
  },
  { label: 'Status', cell: ({ status }) => <Status of={status} /> },
  { label: 'Customer', cell: ({ customer }) => customer.name ?? customer.email ?? customer.phone ?? '' },
  { label: 'Description', cell: ({ description }) => description ?? '' },
  { label: 'Invoice', cell: ({ invoiceId }) => invoiceId ?? '' },
  { label: 'Payments', cell: ({ payments }) => payments.length, isNumber: true },
  { label: 'Created', cell: ({ createdAt }) => <Time at={createdAt} /> },
];

export const CheckoutSessions = () => {
  const { id } = useAccount();
  const href = useHref();
  const mode = useMode();
  return (
    <Screen title="Sessions" intro="Each is one purchase that a customer was asked to pay." actions={<ModeSwitch />}>
      <List
        key={mode}
        caption="Checkout sessions"
        read={async (page) =>
          pageOf(
            await checkoutApi(id, mode === 'live').call('GET /checkout-sessions', {
              query: { limit: 25, ...withPeriod(page) },
            }),
          )
        }
        columns={columns}
        keyOf={(session) => session.id}
        hrefOf={(session) => href(`/checkout-sessions/${session.id}?mode=${mode}`)}
        filters={filters}
        empty={
          <Empty title={`No ${mode} sessions yet`}>
            Your server creates them with a {mode} key: <code>POST /v1/checkout-sessions</code>.
          </Empty>
        }
      />
    </Screen>
  );
};
