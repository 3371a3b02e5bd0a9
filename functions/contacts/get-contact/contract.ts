import * as z from 'zod';
import { contact } from '../../../shared/contacts/contact.ts';
import { contract } from '../../../shared/http/contract.ts';

export const getContactContract = contract({
  summary: 'Get a contact',
  status: 200,
  path: z.object({ id: z.string() }),
  reply: contact,
  refuses: ['contact_not_found'],
});
