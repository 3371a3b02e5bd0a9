import * as z from 'zod';
import { invoiceQuery } from '../../../shared/checkout/list-query.ts';
import { refundStatuses } from '../../../shared/checkout/refund.ts';
import { refundRecord } from '../../../shared/checkout/refund-record.ts';
import { contract } from '../../../shared/http/contract.ts';
import { createdQuery, cursorPagination, cursorQuery } from '../../../shared/http/cursor.ts';

export const listRefundsContract = contract({
  summary: 'List refunds, newest first',
  description:
    'Refunds of the key’s mode, also those that an owner or an operator requested and those of surplus money. With `status`, a page may have fewer rows than `limit`, or none, although `hasMore` is true: go on with its cursor.',
  status: 200,
  query: z.object({
    status: z.enum(refundStatuses).optional(),
    ...createdQuery,
    ...invoiceQuery,
    ...cursorQuery({ defaultLimit: 20 }),
  }),
  reply: z.array(refundRecord),
  beside: z.object({ pagination: cursorPagination }),
  refuses: ['bad_request'],
});
