import * as z from 'zod';
import { contact } from '../../../shared/contacts/contact.ts';
import { contactFields } from '../../../shared/contacts/contact-fields.ts';
import { contract } from '../../../shared/http/contract.ts';

export const updateContactContract = contract({
  summary: 'Update a contact',
  description:
    'Omitted fields are unchanged; `null` clears a field. `tags` and `customFields` are replaced, not merged. Changing the phone ends the consents to sms and whatsapp that were given for it. Changing the email of a contact that bounced, complained or unsubscribed keeps its status, and the old email stays suppressed.',
  example: { tags: ['vip'], customFields: { plan: 'pro' } },
  status: 200,
  path: z.object({ id: z.string() }),
  body: contactFields,
  reply: contact,
  refuses: ['invalid_request', 'contact_not_found', 'conflict'],
  refusesWhen: { conflict: 'Another contact has this email or phone; a retired contact keeps its email.' },
});
