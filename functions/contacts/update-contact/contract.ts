import * as z from 'zod';
import { contact } from '../../../shared/contacts/contact.ts';
import { contactFields } from '../../../shared/contacts/contact-fields.ts';
import { contract } from '../../../shared/http/contract.ts';

export const updateContactContract = contract({
  summary: 'Change a contact',
  description:
    'Only what is sent changes; null clears. `tags` and `customFields` are replaced, not merged. Consents to sms and whatsapp end with the phone that they were given for.',
  example: { tags: ['vip'], customFields: { plan: 'pro' } },
  status: 200,
  path: z.object({ id: z.string() }),
  body: contactFields,
  reply: contact,
  refuses: ['invalid_request', 'contact_not_found', 'conflict'],
});
