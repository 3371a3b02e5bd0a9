import { useState } from 'preact/hooks';
import type { CheckoutKey } from '../../client/admin.ts';
import { adminApi } from '../apis.ts';
import { Confirm } from '../parts/dialog.tsx';
import { type Column, List } from '../parts/list.tsx';
import { Screen } from '../parts/screen.tsx';
import { toast } from '../parts/toast.tsx';
import { Empty } from '../parts/trouble.tsx';
import { grouped, Status, sentence, Time } from '../parts/words.tsx';
import { mayBuild, useAccount } from '../session.ts';
import { CreateCheckoutKey } from './checkout-key-form.tsx';

/** What a publishable key may do; a secret key has no such limits. */
const limitsOf = ({ allowedOrigins, redirectHosts, maxAmountMinor, rateLimitPerMinute }: CheckoutKey): string =>
  [
    `${grouped(rateLimitPerMinute)} a minute`,
    ...(allowedOrigins ?? []),
    ...(redirectHosts ?? []).map((host) => `to ${host}`),
    ...(maxAmountMinor === undefined ? [] : [`up to ${grouped(maxAmountMinor / 100)}`]),
  ].join(', ');

export const CheckoutKeys = () => {
  const account = useAccount();
  const [dialog, setDialog] = useState<'create' | CheckoutKey>();
  const [version, setVersion] = useState(0);
  const close = () => setDialog(undefined);
  const refresh = () => setVersion((before) => before + 1);
  const columns: readonly Column<CheckoutKey>[] = [
    { label: 'Name', cell: ({ name }) => <strong>{name}</strong> },
    { label: 'Key', cell: ({ prefix }) => <code>{prefix}…</code> },
    { label: 'Kind', cell: ({ kind }) => sentence(kind) },
    { label: 'Mode', cell: ({ livemode }) => (livemode ? 'Live' : 'Test') },
    { label: 'Limits', cell: limitsOf },
    { label: 'Created', cell: ({ createdAt }) => <Time at={createdAt} /> },
    {
      label: 'Status',
      cell: ({ revokedAt }) => (revokedAt ? <Status of="revoked" kind="plain" /> : <Status of="active" />),
    },
    {
      label: 'Actions',
      isActions: true,
      cell: (key) =>
        key.revokedAt || !mayBuild(account) ? null : (
          <button type="button" onClick={() => setDialog(key)}>
            Revoke<span class="hidden"> {key.name}</span>
          </button>
        ),
    },
  ];
  return (
    <Screen
      title="Checkout keys"
      intro="Secret keys are for your servers. Publishable keys are for pages, and only create sessions."
      actions={
        mayBuild(account) ? (
          <button type="button" class="primary" onClick={() => setDialog('create')}>
            Create key
          </button>
        ) : null
      }
    >
      <List
        caption="Checkout keys"
        read={async () => {
          const { data } = await adminApi.call('GET /accounts/{id}/checkout-keys', { path: { id: account.id } });
          return { rows: data, next: undefined };
        }}
        columns={columns}
        keyOf={({ id }) => id}
        version={version}
        empty={<Empty title="No keys yet">Create a test key, and make a first session with it.</Empty>}
      />
      {dialog === 'create' ? <CreateCheckoutKey onClose={close} onCreated={refresh} /> : null}
      {typeof dialog === 'object' ? (
        <Confirm
          title={`Revoke “${dialog.name}”?`}
          action="Revoke key"
          onClose={close}
          onConfirm={async () => {
            await adminApi.call('DELETE /checkout-keys/{keyId}', { path: { keyId: dialog.id } });
            toast(`“${dialog.name}” was revoked`);
            refresh();
          }}
        >
          <p>
            Requests with <code>{dialog.prefix}…</code> are refused at once. This cannot be undone.
          </p>
        </Confirm>
      ) : null}
    </Screen>
  );
};
