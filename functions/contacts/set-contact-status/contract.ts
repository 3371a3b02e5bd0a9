import * as z from 'zod';
import { contact, contactStatuses } from '../../../shared/contacts/contact.ts';
import { contract } from '../../../shared/http/contract.ts';

export const setContactStatusContract = contract({
  summary: 'Set the status of a contact',
  example: { status: 'active' },
  status: 200,
  path: z.object({ id: z.string() }),
  body: z.object({ status: z.enum(contactStatuses) }),
  reply: contact,
  refuses: ['invalid_request', 'contact_not_found'],
});
