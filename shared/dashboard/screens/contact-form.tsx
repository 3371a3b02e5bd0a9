import type { Contact, Operations } from '../../client/messaging.ts';
import { tagsCell, tagsIn } from '../../transfers/tags-cell.ts';
import { Form, type Submitted, TextField } from '../parts/form.tsx';
import { textIn } from '../parts/form-values.ts';

type Body = Operations['POST /contacts']['request']['body'];

interface Props {
  readonly contact?: Contact;
  readonly submit: string;
  readonly onSubmit: (body: Body) => Submitted;
  readonly onCancel: () => void;
}

const names = ['email', 'phone', 'firstName', 'lastName'] as const;
const tagText = (contact: Contact | undefined): string => tagsCell(contact?.tags ?? [], ', ');

/** What was typed. The rest stays as it is, also where a program has changed it since. */
const changesIn = (values: FormData, contact: Contact | undefined): Body => {
  const texts = names
    .map((name) => [name, textIn(values, name)] as const)
    .filter(([name, text]) => !contact || text !== (contact[name] ?? ''))
    .map(([name, text]) => [name, text || null] as const);
  const typed = textIn(values, 'tags');
  const tags = [...tagsIn(typed, ',')];
  return { ...Object.fromEntries(texts), ...(typed !== tagText(contact) && { tags }) };
};

/** The fields of a contact. An emptied field is cleared. */
export const ContactForm = ({ contact, submit, onSubmit, onCancel }: Props) => (
  <Form submit={submit} onCancel={onCancel} onSubmit={(values) => onSubmit(changesIn(values, contact))}>
    <TextField name="email" label="Email address" type="email" isOptional value={contact?.email ?? ''} />
    <TextField
      name="phone"
      label="Phone"
      hint="With its country code: +8801700000000"
      isOptional
      value={contact?.phone ?? ''}
    />
    <div class="row">
      <TextField name="firstName" label="First name" isOptional value={contact?.firstName ?? ''} />
      <TextField name="lastName" label="Last name" isOptional value={contact?.lastName ?? ''} />
    </div>
    <TextField
      name="tags"
      label="Tags"
      hint={
        <>
          Separated by commas; where one has a comma, as a list: <code>["London, city", "vip"]</code>
        </>
      }
      isOptional
      value={tagText(contact)}
    />
  </Form>
);
