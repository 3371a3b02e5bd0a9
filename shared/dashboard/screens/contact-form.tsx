import type { Contact, Operations } from '../../client/messaging.ts';
import { Form, TextField, textIn } from '../parts/form.tsx';

type Body = Operations['POST /contacts']['request']['body'];

interface Props {
  readonly contact?: Contact;
  readonly submit: string;
  readonly onSubmit: (body: Body) => Promise<void>;
  readonly onCancel: () => void;
}

/** The fields of a contact. An emptied field is cleared. */
export const ContactForm = ({ contact, submit, onSubmit, onCancel }: Props) => (
  <Form
    submit={submit}
    onCancel={onCancel}
    onSubmit={(values) => {
      const text = (name: string) => textIn(values, name) || null;
      const tags = textIn(values, 'tags')
        .split(',')
        .map((tag) => tag.trim());
      return onSubmit({
        email: text('email'),
        phone: text('phone'),
        firstName: text('firstName'),
        lastName: text('lastName'),
        tags: tags.filter(Boolean),
      });
    }}
  >
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
    <TextField name="tags" label="Tags" hint="Separated by commas." isOptional value={contact?.tags.join(', ') ?? ''} />
  </Form>
);
