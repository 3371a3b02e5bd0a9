import { useState } from 'preact/hooks';
import type { Suppression } from '../../client/messaging.ts';
import { adminApi, messagingApi } from '../apis.ts';
import { addressFilter } from '../parts/address-filter.ts';
import { Confirm, Dialog } from '../parts/dialog.tsx';
import type { Filter } from '../parts/filters.tsx';
import { Form, SelectField, TextField } from '../parts/form.tsx';
import { textIn } from '../parts/form-values.ts';
import { type Column, List, pageOf } from '../parts/list.tsx';
import { useLoad } from '../parts/load.ts';
import { Screen, useHref } from '../parts/screen.tsx';
import { toast } from '../parts/toast.tsx';
import { Empty } from '../parts/trouble.tsx';
import { sentence, Time } from '../parts/words.tsx';
import { mayBuild, useAccount } from '../session.ts';

const channels = ['email', 'sms', 'whatsapp'] as const;
const channelChoices = channels.map((name) => [name, sentence(name)] as const);
const reasons = ['manual', 'bounced', 'complained', 'unsubscribed'].map((name) => [name, sentence(name)] as const);
const filters: readonly Filter[] = [
  addressFilter('address'),
  { name: 'channel', label: 'Channel', choices: channelChoices },
  { name: 'reason', label: 'Reason', choices: reasons },
];

/** Addresses that must not be contacted, and why. */
export const Suppressions = () => {
  const account = useAccount();
  const api = messagingApi(account.id);
  const [open, setOpen] = useState<'add' | Suppression>();
  const [version, setVersion] = useState(0);
  const refresh = () => setVersion((before) => before + 1);
  const close = () => setOpen(undefined);
  const columns: readonly Column<Suppression>[] = [
    { label: 'Address', cell: ({ address }) => address },
    { label: 'Channel', cell: ({ channel }) => <span class="nowrap">{sentence(channel)}</span> },
    { label: 'Reason', cell: ({ reason }) => <span class="nowrap">{sentence(reason)}</span> },
    { label: 'Since', cell: ({ createdAt }) => <Time at={createdAt} /> },
    {
      label: 'Actions',
      isActions: true,
      cell: (row) =>
        mayBuild(account) ? (
          <button type="button" onClick={() => setOpen(row)}>
            Remove<span class="hidden"> {row.address}</span>
          </button>
        ) : null,
    },
  ];
  return (
    <Screen
      title="Suppressions"
      intro="Addresses that are not to be written to."
      actions={
        mayBuild(account) ? (
          <button type="button" class="primary" onClick={() => setOpen('add')}>
            Add address
          </button>
        ) : null
      }
    >
      <Enforcement />
      <List
        caption="Suppressions"
        read={async (query) => pageOf(await api.call('GET /suppressions', { query: { limit: 25, ...query } }))}
        columns={columns}
        keyOf={({ id }) => id}
        filters={filters}
        version={version}
        empty={
          <Empty title="No address is suppressed">Bounces, complaints and unsubscribed contacts are listed here.</Empty>
        }
      />
      {open === 'add' ? <AddDialog onClose={close} onAdded={refresh} /> : null}
      {typeof open === 'object' ? (
        <Confirm
          title="Remove from the list?"
          action="Remove"
          onClose={close}
          onConfirm={async () => {
            const { channel, address } = open;
            await api.call('DELETE /suppressions/{channel}/{address}', { path: { channel, address } });
            toast(`${address} was removed`);
            refresh();
          }}
        >
          <p>
            The list will no longer block sends to <strong>{open.address}</strong> by {open.channel}.
            {open.channel === 'email' ? null : ' The contact’s consent and status can still block them.'}
          </p>
        </Confirm>
      ) : null}
    </Screen>
  );
};

/** Says whether the list blocks sends: an account has to turn that on. */
const Enforcement = () => {
  const { id } = useAccount();
  const href = useHref();
  const { value } = useLoad(() => adminApi.call('GET /accounts/{id}', { path: { id } }), [id]);
  if (!value) return null;
  if (value.data.suppressions === 'enforced') return <p class="notice">Sends to these addresses are blocked.</p>;
  return (
    <p class="notice waiting">
      <span>
        Sends to these addresses are not blocked. An owner can turn on “Block sends to suppressed addresses” in{' '}
        <a href={href('/settings')}>Settings</a>.
      </span>
    </p>
  );
};

const AddDialog = ({ onClose, onAdded }: { readonly onClose: () => void; readonly onAdded: () => void }) => {
  const api = messagingApi(useAccount().id);
  return (
    <Dialog title="Suppress an address" onClose={onClose}>
      <Form
        submit="Add address"
        onCancel={onClose}
        onSubmit={async (values) => {
          const channel = channels.find((each) => each === textIn(values, 'channel')) ?? 'email';
          const address = textIn(values, 'address');
          await api.call('POST /suppressions', { body: { channel, address, reason: 'manual' } });
          toast(`${address} is suppressed`);
          onAdded();
          return onClose;
        }}
      >
        <SelectField name="channel" label="Channel" choices={channelChoices} />
        <TextField name="address" label="Address" hint="An email address, or a phone with its country code." />
      </Form>
    </Dialog>
  );
};
