import type { Contact } from '../../client/messaging.ts';
import { adminApi } from '../apis.ts';
import { Dialog } from '../parts/dialog.tsx';
import { CheckFields, Form } from '../parts/form.tsx';
import { chosenIn } from '../parts/form-values.ts';
import { toast } from '../parts/toast.tsx';

const onlyEmails = 'Blocks emails if the account enforces its suppressions. Texts are as with Active.';

/** What each status means for sends to the contact. */
const choices = [
  ['active', 'Active', 'Blocks no sends, but texts need a new consent if the contact itself has opted out.'],
  [
    'unsubscribed',
    'Unsubscribed',
    'Blocks texts until there is a newer consent, and emails if the account enforces its suppressions.',
  ],
  ['bounced', 'Bounced', onlyEmails],
  ['complained', 'Complained', onlyEmails],
  ['quarantined', 'Quarantined', 'Blocks texts, and no emails.'],
] as const satisfies readonly (readonly [Contact['status'], string, string])[];

interface Props {
  readonly contact: Contact;
  readonly onChanged: (contact: Contact) => void;
  readonly onClose: () => void;
}

/** Sets the status of a contact to any other. */
export const StatusDialog = ({ contact, onChanged, onClose }: Props) => (
  <Dialog title="Change status" onClose={onClose}>
    <Form
      submit="Change status"
      onCancel={onClose}
      onSubmit={async (values) => {
        const known = choices.map(([status]) => status);
        const [status = contact.status] = chosenIn(values, 'status', known);
        onChanged((await adminApi.call('PATCH /contacts/{id}', { path: { id: contact.id }, body: { status } })).data);
        toast('The status was changed');
        return onClose;
      }}
    >
      <CheckFields name="status" label="Status" isSingle choices={choices} checked={[contact.status]} />
    </Form>
  </Dialog>
);
