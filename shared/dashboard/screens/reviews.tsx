import { useState } from 'preact/hooks';
import type { Payment } from '../../client/admin.ts';
import { adminApi } from '../apis.ts';
import { money } from '../parts/amount.ts';
import { type Column, List, pageOf } from '../parts/list.tsx';
import { modeOf } from '../parts/mode.tsx';
import { Screen, useHref } from '../parts/screen.tsx';
import { Empty } from '../parts/trouble.tsx';
import { Time } from '../parts/words.tsx';
import { mayOwn, useAccount } from '../session.ts';
import { ReviewDialog, reportedBy } from './review-dialog.tsx';

/** Payments whose gateway reported something else than was asked for, or a risk. */
export const Reviews = () => {
  const account = useAccount();
  const href = useHref();
  const [open, setOpen] = useState<Payment>();
  const [version, setVersion] = useState(0);
  const columns: readonly Column<Payment>[] = [
    {
      label: 'Asked for',
      cell: ({ amountMinor, currency }) => <strong class="nowrap">{money(amountMinor, currency)}</strong>,
    },
    { label: 'Reported', cell: (payment) => reportedBy(payment) ?? 'No other amount' },
    { label: 'Gateway', cell: ({ gatewayCode }) => gatewayCode },
    { label: 'Payment', cell: ({ id }) => <code>{id}</code> },
    { label: 'Mode', cell: ({ livemode }) => (livemode ? 'Live' : 'Test') },
    { label: 'Created', cell: ({ createdAt }) => <Time at={createdAt} /> },
    {
      label: 'Actions',
      isActions: true,
      cell: (payment) => (
        <button type="button" onClick={() => setOpen(payment)}>
          {mayOwn(account) ? 'Review' : 'Details'}
          <span class="hidden">
            {' '}
            {money(payment.amountMinor, payment.currency)}, payment {payment.id.slice(-6)}
          </span>
        </button>
      ),
    },
  ];
  return (
    <Screen
      title="Reviews"
      intro="Payments that are held: the gateway’s report differs from what was asked for, or marks them as risky. They stay as they are until someone decides."
    >
      <List
        caption="Held payments"
        read={async (page) =>
          pageOf(
            await adminApi.call('GET /accounts/{id}/payments', {
              path: { id: account.id },
              query: { mark: 'held', limit: 50, ...page },
            }),
          )
        }
        columns={columns}
        keyOf={({ id }) => id}
        hrefOf={({ id, livemode }) => href(`/payments/${id}?mode=${modeOf(livemode)}`)}
        version={version}
        empty={<Empty title="No payment is held">Nothing waits for your decision.</Empty>}
      />
      {open ? (
        <ReviewDialog
          payment={open}
          onClose={() => {
            setOpen(undefined);
            // Also without a word of success: a colleague may have decided meanwhile.
            setVersion((before) => before + 1);
          }}
        />
      ) : null}
    </Screen>
  );
};
