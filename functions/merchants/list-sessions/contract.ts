import * as z from 'zod';
import { invoiceQuery } from '../../../shared/checkout/list-query.ts';
import { sessionStatuses } from '../../../shared/checkout/session.ts';
import { sessionView } from '../../../shared/checkout/session-view.ts';
import { contract } from '../../../shared/http/contract.ts';
import { createdQuery, cursorPagination, cursorQuery } from '../../../shared/http/cursor.ts';

export const listSessionsContract = contract({
  summary: 'List checkout sessions with their payments, newest first',
  description:
    'Sessions of the key’s mode. With `status`, or where rows are large (a page holds at most 2.5 MB of JSON), a page may have fewer rows than `limit`, or none, although `hasMore` is true: go on with its cursor.',
  status: 200,
  query: z.object({
    status: z.enum(sessionStatuses).optional(),
    ...createdQuery,
    ...invoiceQuery,
    ...cursorQuery({ defaultLimit: 20 }),
  }),
  reply: z.array(sessionView),
  beside: z.object({ pagination: cursorPagination }),
  refuses: ['bad_request'],
});
