import * as z from 'zod';
import { contract } from '../../../shared/http/contract.ts';
import { createdQuery, cursorPagination, cursorQuery } from '../../../shared/http/cursor.ts';
import { auditEntry } from '../../../shared/people/member-fields.ts';

export const listAccountChangesContract = contract({
  summary: 'List the audit log of an account',
  description:
    'Newest first, for a year: every change that a person or an operator token made or tried, and every export of contacts or messages that they began or tried, also those that were refused. It has no bodies and no secrets.',
  status: 200,
  path: z.object({ id: z.string() }),
  query: z.object({ ...cursorQuery({ defaultLimit: 20 }), ...createdQuery }),
  reply: z.array(auditEntry),
  beside: z.object({ pagination: cursorPagination }),
  refuses: ['invalid_request', 'account_not_found'],
});
