import { useState } from 'preact/hooks';
import { adminApi } from '../apis.ts';
import { Dialog } from '../parts/dialog.tsx';
import { Form, TextField, textIn } from '../parts/form.tsx';
import { List, pageOf } from '../parts/list.tsx';
import { Screen } from '../parts/screen.tsx';
import { toast } from '../parts/toast.tsx';
import { Empty } from '../parts/trouble.tsx';
import { Id, Status, Time } from '../parts/words.tsx';
import { go } from '../place.ts';

/** All accounts of the platform, for operators. */
export const Accounts = () => {
  const [isCreating, setCreating] = useState(false);
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
        empty={<Empty title="No accounts yet" />}
      />
      {isCreating ? <CreateDialog onClose={() => setCreating(false)} /> : null}
    </Screen>
  );
};

const CreateDialog = ({ onClose }: { readonly onClose: () => void }) => (
  <Dialog title="Create an account" onClose={onClose}>
    <Form
      submit="Create account"
      onCancel={onClose}
      onSubmit={async (values) => {
        const { data } = await adminApi.call('POST /accounts', { body: { name: textIn(values, 'name') } });
        toast(`“${data.name}” was created`);
        onClose();
        go(`/dashboard/${data.id}/members`);
      }}
    >
      <TextField name="name" label="Name" hint="You invite its first owner next." />
    </Form>
  </Dialog>
);
