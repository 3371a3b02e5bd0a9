import { useState } from 'preact/hooks';
import type { CheckoutSession } from '../../client/checkout.ts';
import { checkoutApi } from '../apis.ts';
import { money } from '../parts/amount.ts';
import { Confirm } from '../parts/dialog.tsx';
import { Table } from '../parts/list.tsx';
import { useLoad } from '../parts/load.ts';
import { readInItsMode, useMode } from '../parts/mode.tsx';
import { Screen, type ScreenProps, useHref } from '../parts/screen.tsx';
import { toast } from '../parts/toast.tsx';
import { Empty, Loading, Trouble } from '../parts/trouble.tsx';
import { CopyButton, Facts, Id, Status, Time } from '../parts/words.tsx';
import { mayOwn, useAccount } from '../session.ts';

const waitsForPayment = 'No other payment can begin. The session ends with the one that is in progress.';

/** One session with its payments, and the way to end it before its time. */
export const OneCheckoutSession = ({ params }: ScreenProps) => {
  const account = useAccount();
  const href = useHref();
  const mode = useMode();
  const api = checkoutApi(account.id, mode === 'live');
  const path = { id: params['id'] ?? '' };
  const [isExpiring, setExpiring] = useState(false);
  const loaded = useLoad(
    async () =>
      (
        await readInItsMode(mode, (livemode) =>
          checkoutApi(account.id, livemode).call('GET /checkout-sessions/{id}', { path }),
        )
      ).data,
    [account.id, path.id, mode],
  );
  const session = loaded.value;
  return (
    <Screen
      title={session ? money(session.amountMinor, session.currency) : 'Session'}
      intro={session?.description}
      back={{ href: href('/checkout-sessions'), label: 'Sessions' }}
      actions={
        session?.status === 'OPEN' && mayOwn(account) ? (
          <button type="button" onClick={() => setExpiring(true)}>
            Expire now
          </button>
        ) : null
      }
    >
      {loaded.problem ? <Trouble problem={loaded.problem} retry={loaded.reload} /> : null}
      {!session && loaded.isLoading ? <Loading /> : null}
      {session ? (
        <>
          <div class="halves">
            <section class="card">
              <h2>Details</h2>
              <SessionFacts session={session} />
            </section>
            {session.lineItems ? <LineItems session={session} /> : null}
          </div>
          <section>
            <h2 class="gap">Payments</h2>
            <SessionPayments session={session} />
          </section>
        </>
      ) : null}
      {isExpiring ? (
        <Confirm
          title="Expire this session?"
          action="Expire now"
          onClose={() => {
            setExpiring(false);
            // Also without a word of success: it may have been paid meanwhile.
            loaded.reload();
          }}
          onConfirm={async () => {
            const { data } = await api.call('POST /checkout-sessions/{id}/expire', { path });
            loaded.replace(data);
            toast(data.status === 'OPEN' ? waitsForPayment : 'The session has expired');
          }}
        >
          <p>The payer can no longer pay it. This cannot be undone.</p>
        </Confirm>
      ) : null}
    </Screen>
  );
};

const SessionFacts = ({ session }: { readonly session: CheckoutSession }) => (
  <Facts
    rows={[
      ['Status', <Status key="status" of={session.status} />],
      [
        'Customer',
        Object.values(session.customer).some(Boolean) ? <Customer key="customer" of={session.customer} /> : null,
      ],
      ['Invoice', session.invoiceId],
      ['Created', <Time key="created" at={session.createdAt} isExact />],
      [session.status === 'OPEN' ? 'Expires' : 'Expiry', <Time key="expiry" at={session.expiresAt} isExact />],
      [
        'Page',
        session.status === 'OPEN' ? (
          <span key="page" class="id">
            <a href={session.url} target="_blank" rel="noreferrer">
              Open the page
            </a>
            <CopyButton text={session.url} what="URL of the page" />
          </span>
        ) : null,
      ],
      [
        'Metadata',
        Object.keys(session.metadata).length > 0 ? <pre>{JSON.stringify(session.metadata, null, 2)}</pre> : null,
      ],
      ['Id', <Id key="id" value={session.id} />],
    ]}
  />
);

/** Each apart, because names have any direction of writing. */
const Customer = ({ of: { name, email, phone } }: { readonly of: CheckoutSession['customer'] }) => (
  <>
    {[name, email, phone].filter(Boolean).map((text, n) => (
      <span key={text}>
        {n > 0 ? ' · ' : ''}
        <bdi>{text}</bdi>
      </span>
    ))}
  </>
);

const LineItems = ({ session: { lineItems = [], currency } }: { readonly session: CheckoutSession }) => (
  <section class="card">
    <h2>Items</h2>
    <ul class="lines">
      {lineItems.map(({ name, quantity, unitAmountMinor }, i) => (
        <li key={`${i} ${name}`}>
          <span class="grow">
            <bdi>{name}</bdi> <span class="quiet">× {quantity}</span>
          </span>
          <span>{money(quantity * unitAmountMinor, currency)}</span>
        </li>
      ))}
    </ul>
  </section>
);

const SessionPayments = ({ session }: { readonly session: CheckoutSession }) => {
  const href = useHref();
  const mode = useMode();
  if (session.payments.length === 0) return <Empty title="No payment yet">The customer has not tried to pay.</Empty>;
  return (
    <Table
      caption="Payments"
      rows={session.payments}
      keyOf={({ id }) => id}
      hrefOf={({ id }) => href(`/payments/${id}?mode=${mode}`)}
      columns={[
        { label: 'Method', cell: ({ displayLabel }) => displayLabel },
        { label: 'Status', cell: ({ status }) => <Status of={status} /> },
        {
          label: 'Amount',
          cell: ({ amountMinor, currency }) => <span class="nowrap">{money(amountMinor, currency)}</span>,
        },
        { label: 'Why', cell: ({ failureReason }) => failureReason ?? '' },
        { label: 'Created', cell: ({ createdAt }) => <Time at={createdAt} isExact /> },
      ]}
    />
  );
};
