import { useState } from 'preact/hooks';
import type { CheckoutWebhook } from '../../client/admin.ts';
import { adminApi } from '../apis.ts';
import { Dialog } from '../parts/dialog.tsx';
import { CheckFields, chosenIn, Form, someTextIn, TextField, textIn } from '../parts/form.tsx';
import { type Column, List } from '../parts/list.tsx';
import { Screen, useHref } from '../parts/screen.tsx';
import { Empty } from '../parts/trouble.tsx';
import { grouped, Status, Time } from '../parts/words.tsx';
import { mayBuild, useAccount } from '../session.ts';
import { SecretDialog } from './webhook-form.tsx';

const events = [
  'payment.succeeded',
  'payment.failed',
  'refund.succeeded',
  'refund.failed',
  'checkout_session.expired',
] as const;

const columns: readonly Column<CheckoutWebhook>[] = [
  { label: 'Name', cell: ({ name }) => name },
  { label: 'URL', cell: ({ url }) => <code>{url}</code> },
  { label: 'Status', cell: ({ isActive }) => <Status of={isActive ? 'active' : 'paused'} /> },
  { label: 'Delivered', cell: ({ totalSent }) => grouped(totalSent), isNumber: true },
  { label: 'Failed', cell: ({ totalFailed }) => grouped(totalFailed), isNumber: true },
  { label: 'Last delivery', cell: ({ lastSentAt }) => <Time at={lastSentAt} /> },
];

export const CheckoutWebhooks = () => {
  const account = useAccount();
  const href = useHref();
  const [isAdding, setAdding] = useState(false);
  const [version, setVersion] = useState(0);
  return (
    <Screen
      title="Checkout webhooks"
      intro="Your servers learn here of payments and refunds, test and live."
      actions={
        mayBuild(account) ? (
          <button type="button" class="primary" onClick={() => setAdding(true)}>
            Add webhook
          </button>
        ) : null
      }
    >
      <List
        caption="Checkout webhooks"
        read={async () => {
          const { data } = await adminApi.call('GET /accounts/{id}/checkout-webhooks', { path: { id: account.id } });
          return { rows: data, next: undefined };
        }}
        columns={columns}
        keyOf={({ id }) => id}
        hrefOf={({ id }) => href(`/checkout-webhooks/${id}`)}
        version={version}
        empty={<Empty title="No webhooks yet">Add the URL of your server, and each event is sent to it.</Empty>}
      />
      {isAdding ? (
        <AddDialog onClose={() => setAdding(false)} onAdded={() => setVersion((before) => before + 1)} />
      ) : null}
    </Screen>
  );
};

const AddDialog = ({ onClose, onAdded }: { readonly onClose: () => void; readonly onAdded: () => void }) => {
  const { id } = useAccount();
  const [secret, setSecret] = useState<string>();
  if (secret) return <SecretDialog title="The webhook’s secret" secret={secret} onClose={onClose} />;
  return (
    <Dialog title="Add a checkout webhook" onClose={onClose}>
      <Form
        submit="Add webhook"
        onCancel={onClose}
        onSubmit={async (values) => {
          const name = someTextIn(values, 'name');
          const body = {
            url: textIn(values, 'url'),
            events: chosenIn(values, 'events', events),
            ...(name && { name }),
          };
          const { data } = await adminApi.call('POST /accounts/{id}/checkout-webhooks', { path: { id }, body });
          onAdded();
          setSecret(data.secret);
        }}
      >
        <TextField name="name" label="Name" isOptional />
        <TextField name="url" label="URL" type="url" placeholder="https://example.com/hooks" />
        <CheckFields
          name="events"
          label="Events"
          choices={events.map((event) => [event, event] as const)}
          checked={events}
        />
      </Form>
    </Dialog>
  );
};
