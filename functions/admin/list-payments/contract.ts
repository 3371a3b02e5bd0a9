import * as z from 'zod';
import { paymentMarks } from '../../../shared/checkout/payment.ts';
import { paymentRecord } from '../../../shared/checkout/payment-record.ts';
import { contract } from '../../../shared/http/contract.ts';
import { cursorPagination, cursorQuery } from '../../../shared/http/cursor.ts';

export const listPaymentsContract = contract({
  summary: 'List the payments of an account with the last response of their gateways',
  description:
    'Newest first. `states` counts the payments on the page by their state. With `mark`, a page may have fewer rows than `limit`, or none, although `hasMore` is true: go on with its cursor.',
  status: 200,
  path: z.object({ id: z.string() }),
  query: z.object({
    mark: z.enum(paymentMarks).optional().describe('`held`: the payments under review.'),
    ...cursorQuery({ defaultLimit: 50 }),
  }),
  reply: z.array(paymentRecord),
  beside: z.object({
    states: z
      .record(z.string(), z.int())
      .describe('The number of payments on the page in each state. Held payments count as `HELD`.')
      .meta({ examples: [{ SUCCEEDED: 1 }] }),
    pagination: cursorPagination,
  }),
  refuses: ['invalid_request', 'account_not_found'],
});
