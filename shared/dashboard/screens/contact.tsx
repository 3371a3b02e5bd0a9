import { useState } from 'preact/hooks';
import type { Contact } from '../../client/messaging.ts';
import { messagingApi } from '../apis.ts';
import { Confirm, Dialog } from '../parts/dialog.tsx';
import { useLoad } from '../parts/load.ts';
import { Screen, type ScreenProps, useHref } from '../parts/screen.tsx';
import { toast } from '../parts/toast.tsx';
import { Loading, Trouble } from '../parts/trouble.tsx';
import { Facts, Id, Status, Time } from '../parts/words.tsx';
import { go } from '../place.ts';
import { mayBuild, useAccount } from '../session.ts';
import { Consents } from './consents.tsx';
import { ContactForm } from './contact-form.tsx';
import { StatusDialog } from './contact-status.tsx';

const nameOf = ({ firstName, lastName, email, phone }: Contact): string =>
  [firstName, lastName].filter(Boolean).join(' ') || (email ?? phone ?? 'Contact');

/** One contact with its consents. */
export const OneContact = ({ params }: ScreenProps) => {
  const account = useAccount();
  const href = useHref();
  const api = messagingApi(account.id);
  const path = { id: params['id'] ?? '' };
  const [open, setOpen] = useState<'edit' | 'status' | 'delete'>();
  const loaded = useLoad(
    () => api.call('GET /contacts/{id}', { path }).then(({ data }) => data),
    [account.id, path.id],
  );
  const contact = loaded.value;
  const close = () => setOpen(undefined);
  return (
    <Screen
      title={contact ? nameOf(contact) : 'Contact'}
      back={{ href: href('/contacts'), label: 'Contacts' }}
      actions={
        contact && mayBuild(account) ? (
          <>
            <button type="button" onClick={() => setOpen('edit')}>
              Edit
            </button>
            <button type="button" onClick={() => setOpen('status')}>
              Change status
            </button>
            <button type="button" onClick={() => setOpen('delete')}>
              Delete
            </button>
          </>
        ) : null
      }
    >
      {loaded.problem ? <Trouble problem={loaded.problem} retry={loaded.reload} /> : null}
      {!contact && loaded.isLoading ? <Loading /> : null}
      {contact ? (
        <div class="halves">
          <section class="card">
            <h2>Details</h2>
            <ContactFacts contact={contact} />
          </section>
          <Consents contact={contact} />
        </div>
      ) : null}
      {contact && open === 'edit' ? (
        <Dialog title="Edit contact" onClose={close}>
          <ContactForm
            contact={contact}
            submit="Save"
            onCancel={close}
            onSubmit={async (body) => {
              loaded.replace((await api.call('PATCH /contacts/{id}', { path, body })).data);
              toast('The contact was saved');
              return close;
            }}
          />
        </Dialog>
      ) : null}
      {contact && open === 'status' ? (
        <StatusDialog contact={contact} onChanged={loaded.replace} onClose={close} />
      ) : null}
      {contact && open === 'delete' ? (
        <Confirm
          title={`Delete ${nameOf(contact)}?`}
          action="Delete contact"
          onClose={close}
          onConfirm={async () => {
            await api.call('DELETE /contacts/{id}', { path });
            toast('The contact was deleted');
            return () => go(href('/contacts'));
          }}
        >
          <p>A withdrawal of consent stays with the phone number.</p>
        </Confirm>
      ) : null}
    </Screen>
  );
};

const ContactFacts = ({ contact }: { readonly contact: Contact }) => {
  const href = useHref();
  const messagesTo = (address: string) => (
    <>
      {address} · <a href={href(`/messages?to=${encodeURIComponent(address)}`)}>messages</a>
    </>
  );
  return (
    <Facts
      rows={[
        ['Status', <Status key="status" of={contact.status} />],
        ['Email', contact.email ? messagesTo(contact.email) : null],
        ['Phone', contact.phone ? messagesTo(contact.phone) : null],
        [
          'Tags',
          contact.tags.length > 0
            ? contact.tags.map((tag) => (
                <span key={tag} class="tag">
                  {tag}
                </span>
              ))
            : null,
        ],
        ['Source', contact.source],
        [
          'Fields',
          Object.keys(contact.customFields).length > 0 ? (
            <pre>{JSON.stringify(contact.customFields, null, 2)}</pre>
          ) : null,
        ],
        ['Created', <Time key="created" at={contact.createdAt} />],
        ['Changed', <Time key="changed" at={contact.updatedAt} />],
        ['Id', <Id key="id" value={contact.id} />],
      ]}
    />
  );
};
