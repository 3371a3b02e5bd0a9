import { useState } from 'preact/hooks';
import type { ApiKey } from '../../client/admin.ts';
import { adminApi } from '../apis.ts';
import { Confirm } from '../parts/dialog.tsx';
import { CheckFields, chosenIn, TextField, textIn } from '../parts/form.tsx';
import { type Column, List } from '../parts/list.tsx';
import { Screen } from '../parts/screen.tsx';
import { SecretDialog } from '../parts/secret.tsx';
import { toast } from '../parts/toast.tsx';
import { Empty } from '../parts/trouble.tsx';
import { grouped, Status, Time } from '../parts/words.tsx';
import { mayBuild, useAccount } from '../session.ts';

const scopes = [
  ['messages:send', 'Send messages'],
  ['messages:read', 'Read messages'],
  ['contacts:read', 'Read contacts and suppressions'],
  ['contacts:write', 'Change contacts and suppressions'],
  ['templates:read', 'Read templates'],
  ['templates:write', 'Change templates'],
  ['analytics:read', 'Read analytics'],
  ['webhooks:manage', 'Manage webhooks'],
] as const;
const scopeNames = scopes.map(([name]) => name);

export const ApiKeys = () => {
  const account = useAccount();
  const [dialog, setDialog] = useState<'create' | ApiKey>();
  const [version, setVersion] = useState(0);
  const columns: readonly Column<ApiKey>[] = [
    { label: 'Name', cell: ({ name }) => <strong>{name}</strong> },
    { label: 'Key', cell: ({ prefix }) => <code>{prefix}…</code> },
    { label: 'Scopes', cell: ({ scopes: granted }) => (granted.length === scopes.length ? 'All' : granted.join(', ')) },
    { label: 'Limit', cell: ({ rateLimitPerMinute }) => `${grouped(rateLimitPerMinute)} a minute` },
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
      title="API keys"
      intro="Keys of the messaging API. Give each service its own, with the scopes that it needs."
      actions={
        mayBuild(account) ? (
          <button type="button" class="primary" onClick={() => setDialog('create')}>
            Create key
          </button>
        ) : null
      }
    >
      <List
        caption="API keys"
        read={async () => {
          const { data } = await adminApi.call('GET /accounts/{id}/api-keys', { path: { id: account.id } });
          return { rows: data, next: undefined };
        }}
        columns={columns}
        keyOf={({ id }) => id}
        version={version}
        empty={<Empty title="No keys yet">Create one to call the API from your server.</Empty>}
      />
      {dialog === 'create' ? (
        <CreateKey onClose={() => setDialog(undefined)} onCreated={() => setVersion(version + 1)} />
      ) : null}
      {typeof dialog === 'object' ? (
        <Confirm
          title={`Revoke “${dialog.name}”?`}
          action="Revoke key"
          onClose={() => setDialog(undefined)}
          onConfirm={async () => {
            await adminApi.call('DELETE /api-keys/{keyId}', { path: { keyId: dialog.id } });
            toast(`“${dialog.name}” was revoked`);
            setVersion(version + 1);
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

const CreateKey = ({ onClose, onCreated }: { readonly onClose: () => void; readonly onCreated: () => void }) => {
  const account = useAccount();
  return (
    <SecretDialog
      title="Create an API key"
      submit="Create key"
      what="key"
      onClose={onClose}
      onSubmit={async (values) => {
        const limit = textIn(values, 'rateLimitPerMinute');
        const { data } = await adminApi.call('POST /accounts/{id}/api-keys', {
          path: { id: account.id },
          body: {
            name: textIn(values, 'name'),
            scopes: chosenIn(values, 'scopes', scopeNames),
            ...(limit && { rateLimitPerMinute: Number(limit) }),
          },
        });
        onCreated();
        return data.key;
      }}
    >
      <TextField name="name" label="Name" hint="Where it is used, for example Shop." />
      <CheckFields
        name="scopes"
        label="Scopes"
        choices={scopes.map(([name, words]) => [name, words, name])}
        checked={['messages:send', 'messages:read']}
      />
      <TextField
        name="rateLimitPerMinute"
        label="Requests a minute"
        type="number"
        min={1}
        max={1_000_000}
        isOptional
        value="1000"
      />
    </SecretDialog>
  );
};
