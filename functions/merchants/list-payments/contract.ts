import * as z from 'zod';
import { invoiceQuery } from '../../../shared/checkout/list-query.ts';
import { paymentView } from '../../../shared/checkout/payment-view.ts';
import { paymentStatuses } from '../../../shared/checkout/session.ts';
import { contract } from '../../../shared/http/contract.ts';
import { createdQuery, cursorPagination, cursorQuery } from '../../../shared/http/cursor.ts';

export const listPaymentsContract = contract({
  summary: 'List payments, newest first',
  description:
    'Payments of the key’s mode. One that is `SUCCEEDED` with the `failureCode` `surplus` pays for nothing: its money is refunded. With `status`, or where rows are large (a page holds at most 2.5 MB of JSON), a page may have fewer rows than `limit`, or none, although `hasMore` is true: go on with its cursor.',
  status: 200,
  query: z.object({
    status: z.enum(paymentStatuses).optional(),
    ...createdQuery,
    ...invoiceQuery,
    ...cursorQuery({ defaultLimit: 20 }),
  }),
  reply: z.array(paymentView),
  beside: z.object({ pagination: cursorPagination }),
  refuses: ['bad_request'],
});
