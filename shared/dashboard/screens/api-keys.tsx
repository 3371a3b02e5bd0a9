import type { ApiKey } from '../../client/admin.ts';
import { adminApi } from '../apis.ts';
import { CheckFields, TextField } from '../parts/form.tsx';
import { chosenIn, textIn } from '../parts/form-values.ts';
import { type Column, pageOf } from '../parts/list.tsx';
import { SecretDialog } from '../parts/secret.tsx';
import { Empty } from '../parts/trouble.tsx';
import { grouped } from '../parts/words.tsx';
import { mayBuild, useAccount } from '../session.ts';
import { KeyScreen } from './key-screen.tsx';
import { RateLimitField, rateLimitIn } from './rate-limit-field.tsx';

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
  return (
    <KeyScreen<ApiKey>
      title="API keys"
      intro="Keys of the messaging API. Give each service its own, with the scopes that it needs."
      what="key"
      hasStatus
      mayChange={mayBuild(account)}
      read={async (query) =>
        pageOf(await adminApi.call('GET /accounts/{id}/api-keys', { path: { id: account.id }, query }))
      }
      columns={columns}
      revoke={(keyId) => adminApi.call('DELETE /api-keys/{keyId}', { path: { keyId } })}
      empty={<Empty title="No keys yet">Create one to call the API from your server.</Empty>}
      creating={(dialog) => <CreateKey {...dialog} />}
    />
  );
};

const columns: readonly Column<ApiKey>[] = [
  { label: 'Scopes', cell: ({ scopes: granted }) => (granted.length === scopes.length ? 'All' : granted.join(', ')) },
  { label: 'Limit', cell: ({ rateLimitPerMinute }) => `${grouped(rateLimitPerMinute)} a minute` },
];

const CreateKey = ({ onClose, onCreated }: { readonly onClose: () => void; readonly onCreated: () => void }) => {
  const account = useAccount();
  return (
    <SecretDialog
      title="Create an API key"
      submit="Create key"
      what="key"
      remedy="If the key is in the list, revoke it and create another one."
      onLost={onCreated}
      onClose={onClose}
      onSubmit={async (values) => {
        const { data } = await adminApi.call('POST /accounts/{id}/api-keys', {
          path: { id: account.id },
          body: {
            name: textIn(values, 'name'),
            scopes: chosenIn(values, 'scopes', scopeNames),
            ...rateLimitIn(values),
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
      <RateLimitField />
    </SecretDialog>
  );
};
