import * as z from 'zod';
import { ledgerEntry } from '../../../shared/accounts/credits.ts';
import { contract } from '../../../shared/http/contract.ts';
import { cursorPagination, cursorQuery } from '../../../shared/http/cursor.ts';

export const listCreditChangesContract = contract({
  summary: 'List the credit ledger of an account',
  description:
    'Newest first. One entry covers all sends of an hour, less the credits returned for messages that were not sent. It is updated within seconds of a send, and again later if a message of that hour ends unsent. The sum of all entries is the current credits.',
  status: 200,
  path: z.object({ id: z.string() }),
  query: z.object(cursorQuery({ defaultLimit: 20 })),
  reply: z.array(ledgerEntry),
  beside: z.object({ pagination: cursorPagination }),
  refuses: ['invalid_request', 'account_not_found'],
});
