import { useState } from 'preact/hooks';
import type { ListedRefund, Operations, Payment } from '../../client/admin.ts';
import type { CheckoutPayment } from '../../client/checkout.ts';
import { adminApi, checkoutApi } from '../apis.ts';
import { money } from '../parts/amount.ts';
import { type Column, Table } from '../parts/list.tsx';
import { useLoad } from '../parts/load.ts';
import { readInItsMode, useMode } from '../parts/mode.tsx';
import { Screen, type ScreenProps, useHref } from '../parts/screen.tsx';
import { Empty, Loading, Trouble } from '../parts/trouble.tsx';
import { Facts, Id, Status, Time } from '../parts/words.tsx';
import { mayOwn, useAccount } from '../session.ts';
import { leftOf } from './payment-money.ts';
import { RefundDialog } from './refund-dialog.tsx';
import { RefundReviewDialog } from './refund-review-dialog.tsx';
import { ReviewDialog } from './review-dialog.tsx';

/** One payment with its refunds, and the way to refund it in part or in full. */
export const OnePayment = ({ params }: ScreenProps) => {
  const account = useAccount();
  const href = useHref();
  const mode = useMode();
  const paymentId = params['id'] ?? '';
  const [open, setOpen] = useState<'refund' | 'review'>();
  const loaded = useLoad(async () => {
    const [payment, refunds] = await Promise.all([
      readInItsMode(mode, (livemode) =>
        checkoutApi(account.id, livemode).call('GET /payments/{id}', { path: { id: paymentId } }),
      ),
      adminApi.call('GET /payments/{paymentId}/refunds', { path: { paymentId } }),
    ]);
    return {
      payment: payment.data,
      refunds: refunds.data,
      // The reason of one that has ended says it.
      held: payment.data.status === 'PENDING' ? await heldOf(account.id, payment.data) : undefined,
    };
  }, [account.id, paymentId, mode]);
  const { value } = loaded;
  const close = (): void => {
    setOpen(undefined);
    // Also without a word of success: its answer may have been lost, or a colleague was faster.
    loaded.reload();
  };
  const left = value && value.payment.status === 'SUCCEEDED' ? leftOf(value.payment, value.refunds) : 0;
  return (
    <Screen
      title={value ? money(value.payment.amountMinor, value.payment.currency) : 'Payment'}
      back={{ href: href('/payments'), label: 'Payments' }}
      actions={
        value && left > 0 && mayOwn(account) ? (
          <button type="button" class="primary" onClick={() => setOpen('refund')}>
            Refund
          </button>
        ) : null
      }
    >
      {loaded.problem ? <Trouble problem={loaded.problem} retry={loaded.reload} /> : null}
      {!value && loaded.isLoading ? <Loading /> : null}
      {value ? (
        <>
          <Notices isHeld={value.held !== undefined} onReview={() => setOpen('review')} />
          <section class="card">
            <h2>Details</h2>
            <PaymentFacts payment={value.payment} left={left} />
          </section>
          <section>
            <h2 class="gap">Refunds</h2>
            <Refunds refunds={value.refunds} onReviewed={loaded.reload} />
          </section>
        </>
      ) : null}
      {value && open === 'refund' ? (
        <RefundDialog payment={value.payment} left={left} onRefunded={loaded.reload} onClose={close} />
      ) : null}
      {value?.held && open === 'review' ? <ReviewDialog payment={value.held} onClose={close} /> : null}
    </Screen>
  );
};

const Notices = ({ isHeld, onReview }: { readonly isHeld: boolean; readonly onReview: () => void }) => {
  const account = useAccount();
  return (
    <>
      {useMode() === 'test' ? <p class="notice waiting">This is a test payment. No money moved.</p> : null}
      {isHeld ? (
        <p class="notice waiting">
          <span>
            The gateway’s report differs from what was asked for, or marks the payment as risky. The payment is held
            until someone decides.
          </span>
          <button type="button" onClick={onReview}>
            {mayOwn(account) ? 'Review' : 'Details'}
          </button>
        </p>
      ) : null}
    </>
  );
};

/**
 * Looks through the held payments, newest first, until those that were looked at are older than this one. A page may be empty and have more: its
 * cursor is the id of the last payment that was looked at, held or not.
 */
const heldOf = async (account: string, { id }: CheckoutPayment): Promise<Payment | undefined> => {
  const query = { mark: 'held', limit: 50 } as const;
  let cursor: string | null = null;
  do {
    const page: Operations['GET /accounts/{id}/payments']['reply'] = await adminApi.call(
      'GET /accounts/{id}/payments',
      {
        path: { id: account },
        query: { ...query, ...(cursor !== null && { cursor }) },
      },
    );
    const own = page.data.find((held) => held.id === id);
    if (own) return own;
    cursor = page.pagination.cursor;
  } while (cursor !== null && cursor > id);
  return undefined;
};

const PaymentFacts = ({ payment, left }: { readonly payment: CheckoutPayment; readonly left: number }) => {
  const { currency } = payment;
  const href = useHref();
  const mode = useMode();
  return (
    <Facts
      rows={[
        ['Status', <Status key="status" of={payment.status} />],
        ['Why', payment.failureReason],
        ['Code', payment.failureCode ? <code>{payment.failureCode}</code> : null],
        ['Refunded', payment.refundedMinor > 0 ? money(payment.refundedMinor, currency) : null],
        ['Refundable', payment.status === 'SUCCEEDED' ? money(left, currency) : null],
        ['Method', payment.displayLabel],
        ['Gateway', payment.gatewayCode],
        [
          'Transaction',
          payment.gatewayTransactionId ? (
            <Id key="transaction" value={payment.gatewayTransactionId} what="transaction id" />
          ) : null,
        ],
        ['Invoice', payment.invoiceId],
        ['Created', <Time key="created" at={payment.createdAt} isExact />],
        ['Settled', payment.settledAt ? <Time key="settled" at={payment.settledAt} isExact /> : null],
        [
          'Session',
          <a key="session" href={href(`/checkout-sessions/${payment.checkoutSessionId}?mode=${mode}`)}>
            {payment.checkoutSessionId}
          </a>,
        ],
        [
          'Metadata',
          Object.keys(payment.metadata).length > 0 ? <pre>{JSON.stringify(payment.metadata, null, 2)}</pre> : null,
        ],
        ['Id', <Id key="id" value={payment.id} />],
      ]}
    />
  );
};

const columns: readonly Column<ListedRefund>[] = [
  {
    label: 'Amount',
    cell: ({ amountMinor, currency }) => <strong class="nowrap">{money(amountMinor, currency)}</strong>,
  },
  { label: 'Status', cell: ({ status }) => <Status of={status} /> },
  {
    label: 'Reason',
    cell: ({ reason, isAutomatic, failureReason }) =>
      failureReason ?? reason ?? (isAutomatic ? 'Refunded automatically' : ''),
  },
  { label: 'Created', cell: ({ createdAt }) => <Time at={createdAt} /> },
];

const Refunds = ({
  refunds,
  onReviewed,
}: {
  readonly refunds: readonly ListedRefund[];
  readonly onReviewed: () => void;
}) => {
  const [open, setOpen] = useState<ListedRefund>();
  const isOwner = mayOwn(useAccount());
  if (refunds.length === 0) return <Empty title="Nothing was refunded" />;
  const actions: Column<ListedRefund> = {
    label: 'Actions',
    isActions: true,
    cell: (refund) =>
      refund.orderNumber ? (
        <button type="button" onClick={() => setOpen(refund)}>
          Settle
          <span class="hidden"> {money(refund.amountMinor, refund.currency)}</span>
        </button>
      ) : null,
  };
  return (
    <>
      <Table
        caption="Refunds"
        rows={refunds}
        keyOf={({ id }) => id}
        columns={isOwner && refunds.some(({ orderNumber }) => orderNumber) ? [...columns, actions] : columns}
      />
      {open ? (
        <RefundReviewDialog
          refund={open}
          onReviewed={onReviewed}
          onClose={() => {
            setOpen(undefined);
            // Also without a word of success: its answer may have been lost.
            onReviewed();
          }}
        />
      ) : null}
    </>
  );
};
