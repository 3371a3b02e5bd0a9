import { useState } from 'preact/hooks';
import type { Contact, Operations } from '../../client/messaging.ts';
import { messagingApi } from '../apis.ts';
import { Dialog } from '../parts/dialog.tsx';
import { ExportButton } from '../parts/export.tsx';
import { type Filter, type Query, useFilters } from '../parts/filters.tsx';
import { type Column, List, pageOf } from '../parts/list.tsx';
import { useKeys } from '../parts/once.ts';
import { Screen, useHref } from '../parts/screen.tsx';
import { toast } from '../parts/toast.tsx';
import { Empty } from '../parts/trouble.tsx';
import { addressIn } from '../parts/typed-address.ts';
import { Status, sentence, Time } from '../parts/words.tsx';
import { go } from '../place.ts';
import { mayBuild, useAccount } from '../session.ts';
import { ContactForm } from './contact-form.tsx';

type Wanted = NonNullable<Operations['GET /contacts']['request']['query']>;
const statuses = ['ACTIVE', 'UNSUBSCRIBED', 'BOUNCED', 'COMPLAINED', 'QUARANTINED'] as const;
const filters: readonly Filter[] = [
  { name: 'search', label: 'Search', kind: 'search', placeholder: 'Name, whole email or phone', means: addressIn },
  { name: 'status', label: 'Status', choices: statuses.map((name) => [name, sentence(name)] as const) },
  { name: 'tags', label: 'Tags', kind: 'text', placeholder: 'vip, partner' },
];

const queryOf = ({ status, page, ...rest }: Query): Wanted => {
  const known = statuses.find((each) => each === status);
  return { ...rest, ...(known && { status: known }), ...(page && { page: Number(page) }) };
};

const nameOf = ({ firstName, lastName, email, phone }: Contact): string =>
  [firstName, lastName].filter(Boolean).join(' ') || (email ?? phone ?? 'No name');

const columns: readonly Column<Contact>[] = [
  { label: 'Name', cell: nameOf },
  { label: 'Email', cell: ({ email }) => email ?? '' },
  { label: 'Phone', cell: ({ phone }) => <span class="phone">{phone}</span> },
  { label: 'Status', cell: ({ status }) => <Status of={status} /> },
  {
    label: 'Tags',
    cell: ({ tags }) =>
      tags.map((tag) => (
        <span key={tag} class="tag">
          {tag}
        </span>
      )),
  },
  { label: 'Created', cell: ({ createdAt }) => <Time at={createdAt} /> },
];

export const Contacts = () => {
  const account = useAccount();
  const href = useHref();
  const api = messagingApi(account.id);
  const wanted = useFilters(filters);
  const [isAdding, setAdding] = useState(false);
  return (
    <Screen
      title="Contacts"
      intro="The people that this account writes to, with their consents."
      actions={
        <>
          <ExportButton
            key={JSON.stringify(wanted)}
            start={() => api.call('GET /contacts/export', { query: queryOf(wanted) })}
            look={(id) => api.call('GET /contacts/exports/{id}', { path: { id } })}
          />
          {mayBuild(account) ? (
            <>
              <a class="button" href={href('/contacts/import')}>
                Import
              </a>
              <button type="button" class="primary" onClick={() => setAdding(true)}>
                Add contact
              </button>
            </>
          ) : null}
        </>
      }
    >
      <List
        caption="Contacts"
        read={async (query) => pageOf(await api.call('GET /contacts', { query: { limit: 25, ...queryOf(query) } }))}
        columns={columns}
        keyOf={({ id }) => id}
        hrefOf={({ id }) => href(`/contacts/${id}`)}
        filters={filters}
        empty={<Empty title="No contacts yet">Add one, or import a CSV file.</Empty>}
      />
      {isAdding ? <AddDialog onClose={() => setAdding(false)} /> : null}
    </Screen>
  );
};

const AddDialog = ({ onClose }: { readonly onClose: () => void }) => {
  const href = useHref();
  const api = messagingApi(useAccount().id);
  const keyOf = useKeys();
  return (
    <Dialog title="Add a contact" onClose={onClose}>
      <ContactForm
        submit="Add contact"
        onCancel={onClose}
        onSubmit={async (body) => {
          const { data } = await api.call('POST /contacts', { body, idempotencyKey: keyOf(body) });
          toast('The contact was added');
          return () => go(href(`/contacts/${data.id}`));
        }}
      />
    </Dialog>
  );
};
