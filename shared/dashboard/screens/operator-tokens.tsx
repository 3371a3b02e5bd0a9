import { useState } from 'preact/hooks';
import type { OperatorToken } from '../../client/admin.ts';
import { adminApi } from '../apis.ts';
import { Confirm } from '../parts/dialog.tsx';
import { TextField, textIn } from '../parts/form.tsx';
import { type Column, List, pageOf } from '../parts/list.tsx';
import { Screen } from '../parts/screen.tsx';
import { SecretDialog } from '../parts/secret.tsx';
import { toast } from '../parts/toast.tsx';
import { Empty } from '../parts/trouble.tsx';
import { Time } from '../parts/words.tsx';

/** What scripts of the platform sign in with. */
export const OperatorTokens = () => {
  const [open, setOpen] = useState<'create' | OperatorToken>();
  const [version, setVersion] = useState(0);
  const close = () => setOpen(undefined);
  const refresh = () => setVersion((before) => before + 1);
  const columns: readonly Column<OperatorToken>[] = [
    { label: 'Name', cell: ({ name }) => <strong>{name}</strong> },
    { label: 'Token', cell: ({ prefix }) => <code>{prefix}…</code> },
    { label: 'Created', cell: ({ createdAt }) => <Time at={createdAt} /> },
    {
      label: 'Actions',
      isActions: true,
      cell: (token) => (
        <button type="button" onClick={() => setOpen(token)}>
          Revoke<span class="hidden"> {token.name}</span>
        </button>
      ),
    },
  ];
  return (
    <Screen
      title="Operator tokens"
      intro="Scripts call the admin API with them, with an operator’s rights."
      actions={
        <button type="button" class="primary" onClick={() => setOpen('create')}>
          Create token
        </button>
      }
    >
      <List
        caption="Operator tokens"
        read={async () => pageOf(await adminApi.call('GET /operator-tokens'))}
        columns={columns}
        keyOf={({ id }) => id}
        version={version}
        empty={<Empty title="No tokens yet">Create one for each script.</Empty>}
      />
      {open === 'create' ? <CreateDialog onClose={close} onCreated={refresh} /> : null}
      {typeof open === 'object' ? (
        <Confirm
          title={`Revoke “${open.name}”?`}
          action="Revoke token"
          onClose={close}
          onConfirm={async () => {
            await adminApi.call('DELETE /operator-tokens/{tokenId}', { path: { tokenId: open.id } });
            toast(`“${open.name}” was revoked`);
            refresh();
          }}
        >
          <p>
            Requests with <code>{open.prefix}…</code> are refused at once. This cannot be undone.
          </p>
        </Confirm>
      ) : null}
    </Screen>
  );
};

const CreateDialog = ({ onClose, onCreated }: { readonly onClose: () => void; readonly onCreated: () => void }) => (
  <SecretDialog
    title="Create an operator token"
    submit="Create token"
    what="token"
    onClose={onClose}
    onSubmit={async (values) => {
      const { data } = await adminApi.call('POST /operator-tokens', { body: { name: textIn(values, 'name') } });
      onCreated();
      return data.token;
    }}
  >
    <p class="notice waiting">A token may do everything in every account. It stays valid until you revoke it.</p>
    <TextField name="name" label="Name" hint="The script that uses it, for example Nightly report." />
  </SecretDialog>
);
