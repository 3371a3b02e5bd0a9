import { useState } from 'preact/hooks';
import type { Operator } from '../../client/admin.ts';
import { adminApi } from '../apis.ts';
import { Confirm, Dialog } from '../parts/dialog.tsx';
import { Form, TextField } from '../parts/form.tsx';
import { textIn } from '../parts/form-values.ts';
import { type Column, List, pageOf } from '../parts/list.tsx';
import { Screen } from '../parts/screen.tsx';
import { useStore } from '../parts/store.ts';
import { toast } from '../parts/toast.tsx';
import { Empty } from '../parts/trouble.tsx';
import { Time } from '../parts/words.tsx';
import { person, readPersonAgain } from '../session.ts';

/** Who operates the platform. */
export const Operators = () => {
  const own = useStore(person)?.email;
  const [open, setOpen] = useState<'add' | Operator>();
  const [version, setVersion] = useState(0);
  const close = () => setOpen(undefined);
  const refresh = () => {
    setVersion((before) => before + 1);
    // They may have removed themselves.
    readPersonAgain();
  };
  const columns: readonly Column<Operator>[] = [
    {
      label: 'Email',
      cell: ({ email }) => (
        <>
          <strong>{email}</strong> {email === own ? <span class="tag">You</span> : null}
        </>
      ),
    },
    { label: 'Added by', cell: ({ invitedBy }) => invitedBy ?? '' },
    { label: 'Since', cell: ({ createdAt }) => <Time at={createdAt} /> },
    {
      label: 'Actions',
      isActions: true,
      cell: (operator) => (
        <button type="button" onClick={() => setOpen(operator)}>
          Remove<span class="hidden"> {operator.email}</span>
        </button>
      ),
    },
  ];
  return (
    <Screen
      title="Operators"
      intro="They may do everything in every account, and set credits."
      actions={
        <button type="button" class="primary" onClick={() => setOpen('add')}>
          Add an operator
        </button>
      }
    >
      <List
        caption="Operators"
        read={async (query) => pageOf(await adminApi.call('GET /operators', { query }))}
        columns={columns}
        keyOf={({ id }) => id}
        version={version}
        empty={<Empty title="No operators" />}
      />
      {open === 'add' ? (
        <Dialog title="Add an operator" onClose={close}>
          <Form
            submit="Add operator"
            onCancel={close}
            onSubmit={async (values) => {
              const email = textIn(values, 'email');
              await adminApi.call('POST /operators', { body: { email } });
              toast(`${email} is an operator`);
              refresh();
              return close;
            }}
          >
            <p class="notice waiting">An operator may do everything in every account.</p>
            <TextField name="email" label="Email address" type="email" />
          </Form>
        </Dialog>
      ) : null}
      {typeof open === 'object' ? (
        <Confirm
          title={`Remove ${open.email}?`}
          action="Remove operator"
          onClose={close}
          onConfirm={async () => {
            await adminApi.call('DELETE /operators/{operatorId}', { path: { operatorId: open.id } });
            toast(`${open.email} was removed`);
            refresh();
          }}
        >
          <p>They keep only the accounts of which they are a member.</p>
          <p>Operator tokens that they created or copied keep working until you revoke them under Tokens.</p>
        </Confirm>
      ) : null}
    </Screen>
  );
};
