import * as z from 'zod';
import { ledgerEntry } from '../../../shared/accounts/credits.ts';
import { contract } from '../../../shared/http/contract.ts';
import { integerText } from '../../../shared/http/fields.ts';
import { isId } from '../../../shared/kit/id.ts';

export const listCreditChangesContract = contract({
  summary: 'List what changed the credits of an account',
  description:
    'Newest first. Sends, and credits given back for messages that were not sent, are one entry for each hour in which messages were accepted; it follows them within seconds, and changes later when a message of that hour ends unsent. The sum of all entries is the credits.',
  status: 200,
  path: z.object({ id: z.string() }),
  query: z.object({
    limit: integerText({ from: 1, to: 100 }).default(20),
    cursor: z.string().refine(isId, 'must be the cursor of an earlier page').optional(),
  }),
  reply: z.array(ledgerEntry),
  beside: z.object({ pagination: z.object({ cursor: z.string().nullable(), hasMore: z.boolean() }) }),
  refuses: ['invalid_request', 'not_found'],
});
