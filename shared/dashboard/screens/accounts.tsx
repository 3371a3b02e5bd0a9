import { useState } from 'preact/hooks';
import { adminApi, lostAnswer } from '../apis.ts';
import { Dialog } from '../parts/dialog.tsx';
import { Form, TextField } from '../parts/form.tsx';
import { textIn } from '../parts/form-values.ts';
import { List, pageOf } from '../parts/list.tsx';
import { Screen } from '../parts/screen.tsx';
import { toast } from '../parts/toast.tsx';
import { Empty } from '../parts/trouble.tsx';
import { Id, Status, Time } from '../parts/words.tsx';
import { go } from '../place.ts';

/** All accounts of the platform, for operators. */
export const Accounts = () => {
  const [isCreating, setCreating] = useState(false);
  const [version, setVersion] = useState(0);
  return (
    <Screen
      title="Accounts"
      intro="All accounts of the platform."
      actions={
        <button type="button" class="primary" onClick={() => setCreating(true)}>
          Create account
        </button>
      }
    >
      <List
        caption="Accounts"
        read={async (query) => pageOf(await adminApi.call('GET /accounts', { query: { limit: 25, ...query } }))}
        columns={[
          { label: 'Name', cell: ({ name }) => name },
          { label: 'Status', cell: ({ status }) => <Status of={status} /> },
          { label: 'Created', cell: ({ createdAt }) => <Time at={createdAt} /> },
          { label: 'Id', cell: ({ id }) => <Id value={id} /> },
        ]}
        keyOf={({ id }) => id}
        hrefOf={({ id }) => `/dashboard/${id}`}
        filters={[{ name: 'search', label: 'Search', kind: 'search', placeholder: 'Name or id' }]}
        version={version}
        empty={<Empty title="No accounts yet" />}
      />
      {isCreating ? (
        <CreateDialog onClose={() => setCreating(false)} onLost={() => setVersion((before) => before + 1)} />
      ) : null}
    </Screen>
  );
};

const remedy = 'The account may have been created all the same: look for it in the list first.';

const CreateDialog = ({ onClose, onLost }: { readonly onClose: () => void; readonly onLost: () => void }) => (
  <Dialog title="Create an account" onClose={onClose}>
    <Form
      submit="Create account"
      onCancel={onClose}
      onSubmit={async (values) => {
        const body = { name: textIn(values, 'name') };
        const { data } = await adminApi.call('POST /accounts', { body }).catch((thrown: unknown) => {
          const lost = lostAnswer(thrown, remedy);
          if (lost) onLost();
          throw lost ?? thrown;
        });
        toast(`“${data.name}” was created`);
        return () => {
          onClose();
          go(`/dashboard/${data.id}/members`);
        };
      }}
    >
      <TextField name="name" label="Name" hint="You invite its first owner next." />
    </Form>
  </Dialog>
);
