import { useState } from 'preact/hooks';
import type { Consent } from '../../client/admin.ts';
import type { Contact } from '../../client/messaging.ts';
import { adminApi } from '../apis.ts';
import { Dialog } from '../parts/dialog.tsx';
import { Form, SelectField, TextField } from '../parts/form.tsx';
import { someTextIn, textIn } from '../parts/form-values.ts';
import { useLoad } from '../parts/load.ts';
import { toast } from '../parts/toast.tsx';
import { Loading, Trouble } from '../parts/trouble.tsx';
import { Status, sentence, Time } from '../parts/words.tsx';
import { mayBuild, useAccount } from '../session.ts';

const channels = ['sms', 'whatsapp', 'email'] as const;

/** The consents of a contact: those in force, and those that were recorded. */
export const Consents = ({ contact }: { readonly contact: Contact }) => {
  const account = useAccount();
  const path = { id: contact.id };
  const [isOpen, setOpen] = useState(false);
  const loaded = useLoad(
    () => adminApi.call('GET /contacts/{id}/consents', { path }).then(({ data }) => data),
    // Another status, or another phone, can end some.
    [contact.id, contact.updatedAt],
  );
  const { value, problem, reload } = loaded;
  return (
    <section class="card">
      <h2>Consents</h2>
      {problem ? <Trouble problem={problem} retry={reload} /> : null}
      {!value && !problem ? <Loading lines={3} /> : null}
      {value?.history.length === 0 ? <p class="quiet">None is recorded.</p> : null}
      <ol class="timeline">
        {(value?.history ?? []).map((consent) => (
          <li key={`${consent.at} ${consent.channel}`}>
            <span>
              <strong>{sentence(consent.channel)}</strong>{' '}
              <Status of={consent.status} kind={consent.status === 'active' ? 'good' : 'bad'} />
            </span>
            <Time at={consent.at} />
            <p class="small quiet">{detailOf(consent)}</p>
          </li>
        ))}
      </ol>
      {mayBuild(account) ? (
        <button type="button" onClick={() => setOpen(true)}>
          Record consent
        </button>
      ) : null}
      {isOpen ? (
        <Dialog title="Record a consent" onClose={() => setOpen(false)}>
          <Form
            submit="Record"
            onCancel={() => setOpen(false)}
            onSubmit={async (values) => {
              const channel = channels.find((each) => each === textIn(values, 'channel')) ?? 'sms';
              const status = textIn(values, 'status') === 'withdrawn' ? 'withdrawn' : 'active';
              const [source, text] = [someTextIn(values, 'source'), someTextIn(values, 'text')];
              await adminApi.call('PUT /contacts/{id}/consents/{channel}', {
                path: { ...path, channel },
                body: { status, ...(source && { source }), ...(text && { text }) },
              });
              toast('The consent was recorded');
              reload();
              return () => setOpen(false);
            }}
          >
            <SelectField
              name="channel"
              label="Channel"
              choices={channels.map((name) => [name, sentence(name)] as const)}
            />
            <SelectField
              name="status"
              label="What the contact said"
              choices={[
                ['active', 'Agrees'],
                ['withdrawn', 'Withdraws the consent'],
              ]}
            />
            <TextField name="source" label="Source" hint="Where it comes from, for example a form." isOptional />
            <TextField name="text" label="Wording" hint="What the contact agreed to." rows={3} isOptional />
          </Form>
        </Dialog>
      ) : null}
    </section>
  );
};

const detailOf = ({ source, by, text }: Consent): string =>
  [source, `recorded by the ${by}`, text].filter(Boolean).join(' · ');
