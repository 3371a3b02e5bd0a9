import type { OperatorToken } from '../../client/admin.ts';
import { adminApi } from '../apis.ts';
import { TextField } from '../parts/form.tsx';
import { textIn } from '../parts/form-values.ts';
import { pageOf } from '../parts/list.tsx';
import { SecretDialog } from '../parts/secret.tsx';
import { Empty } from '../parts/trouble.tsx';
import { KeyScreen } from './key-screen.tsx';

/** What scripts of the platform sign in with. */
export const OperatorTokens = () => (
  <KeyScreen<OperatorToken>
    title="Operator tokens"
    intro="Scripts use these tokens to call the admin API as an operator."
    what="token"
    columns={[{ label: 'Created by', cell: ({ createdBy }) => createdBy ?? '' }]}
    mayChange
    read={async () => pageOf(await adminApi.call('GET /operator-tokens'))}
    revoke={(tokenId) => adminApi.call('DELETE /operator-tokens/{tokenId}', { path: { tokenId } })}
    empty={<Empty title="No tokens yet">Create one for each script.</Empty>}
    creating={(dialog) => <CreateDialog {...dialog} />}
  />
);

const CreateDialog = ({ onClose, onCreated }: { readonly onClose: () => void; readonly onCreated: () => void }) => (
  <SecretDialog
    title="Create an operator token"
    submit="Create token"
    what="token"
    remedy="If the token is in the list, revoke it and create another one."
    onLost={onCreated}
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
