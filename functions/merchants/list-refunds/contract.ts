import * as z from 'zod';
import { longest } from '../../../shared/checkout/new-session.ts';
import { refundStatuses } from '../../../shared/checkout/payment.ts';
import { refundRecord } from '../../../shared/checkout/refund.ts';
import { contract } from '../../../shared/http/contract.ts';
import { createdQuery, cursorPagination, cursorQuery } from '../../../shared/http/cursor.ts';
import { text } from '../../../shared/kit/text.ts';

export const listRefundsContract = contract({
  summary: 'List refunds, newest first',
  description:
    'Refunds of the key’s mode, also those that an operator requested and those of surplus money. With `status`, a page may have fewer rows than `limit`, or none, although `hasMore` is true: go on with its cursor.',
  status: 200,
  query: z.object({
    status: z.enum(refundStatuses).optional(),
    ...createdQuery,
    invoiceId: text({ atMost: longest.invoiceId }).min(1).optional().describe('The exact `invoiceId` of the session.'),
    ...cursorQuery({ defaultLimit: 20 }),
  }),
  reply: z.array(refundRecord),
  beside: z.object({ pagination: cursorPagination }),
  refuses: ['bad_request'],
});
