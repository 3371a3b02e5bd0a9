import { contact } from '../../../shared/contacts/contact.ts';
import { newContactFields } from '../../../shared/contacts/contact-fields.ts';
import { contract } from '../../../shared/http/contract.ts';

export const createContactContract = contract({
  summary: 'Create a contact',
  description: 'A retired contact keeps its email, so that email is a conflict. Its phone can be used again.',
  example: {
    email: 'ada@example.com',
    phone: '+8801700000000',
    firstName: 'Ada',
    lastName: 'Lovelace',
    tags: ['vip'],
    source: 'webinar',
    customFields: { plan: 'pro' },
  },
  status: 201,
  body: newContactFields,
  reply: contact,
  isReplayable: true,
  refuses: ['invalid_request', 'conflict', 'idempotency_conflict'],
  refusesWhen: { conflict: 'Another contact has this email or phone; a retired contact keeps its email.' },
});
