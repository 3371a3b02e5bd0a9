import * as z from 'zod';
import { contract } from '../../../shared/http/contract.ts';
import { createdQuery, cursorPagination, cursorQuery } from '../../../shared/http/cursor.ts';
import { auditEntry } from '../../../shared/people/member-fields.ts';

export const listChangesContract = contract({
  summary: 'List the audit log of the platform',
  description:
    'Newest first, for a year: every change that a person or an operator token made or tried, and every export of contacts or messages that they began or tried, also those that were refused. It has no bodies and no secrets.',
  status: 200,
  query: z.object({ ...cursorQuery({ defaultLimit: 20 }), ...createdQuery }),
  reply: z.array(auditEntry),
  beside: z.object({ pagination: cursorPagination }),
  refuses: ['invalid_request'],
});
