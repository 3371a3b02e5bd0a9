import * as z from 'zod';
import { type ContactDetails, detailsOf } from '../../../shared/contacts/contact.ts';
import { mostContacts, newContactFields } from '../../../shared/contacts/contact-fields.ts';
import { contract } from '../../../shared/http/contract.ts';
import { whatFailed } from '../../../shared/http/read-request.ts';
import { exampleId } from '../../../shared/kit/id.ts';

type Row = { readonly details: ContactDetails } | { readonly error: string };

/** A bad row does not stop the batch: what is wrong with it takes its place. */
const row = newContactFields
  .transform((sent): Row => ({ details: detailsOf(sent) }))
  .catch(({ error }): Row => ({ error: whatFailed(error.issues, 'contact') }));

export const createContactsContract = contract({
  summary: 'Create up to 1,000 contacts',
  description:
    'Rows are processed one at a time, and a bad row does not stop the batch. `results` has the outcome of each row, in input order.',
  example: { contacts: [{ email: 'ada@example.com', firstName: 'Ada' }, { phone: '+8801700000000' }] },
  status: 200,
  body: z.object({ contacts: z.array(row).min(1).max(mostContacts) }),
  reply: z
    .object({
      total: z.int(),
      created: z.int(),
      duplicates: z.int(),
      errors: z.int(),
      results: z.array(
        z.object({
          index: z.int(),
          status: z.enum(['created', 'duplicate', 'error']),
          id: z.string().optional().describe('The id of a created contact.'),
          error: z.string().optional().describe('Why no contact was created.'),
        }),
      ),
    })
    .meta({
      examples: [
        {
          total: 2,
          created: 1,
          duplicates: 1,
          errors: 0,
          results: [
            { index: 0, status: 'created', id: exampleId },
            { index: 1, status: 'duplicate', error: 'phone: another contact already uses it' },
          ],
        },
      ],
    }),
  isReplayable: true,
  refuses: ['invalid_request', 'idempotency_conflict'],
});
