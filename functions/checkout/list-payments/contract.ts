import * as z from 'zod';
import { paymentRecord } from '../../../shared/checkout/payment-record.ts';
import { contract } from '../../../shared/http/contract.ts';
import { integerText } from '../../../shared/http/fields.ts';
import { isId } from '../../../shared/kit/id.ts';

export const listPaymentsContract = contract({
  summary: 'List the payments of an account with what their gateways said last',
  description: 'Newest first, with the states of all payments on the page counted.',
  status: 200,
  path: z.object({ id: z.string() }),
  query: z.object({
    limit: integerText({ from: 1, to: 100 }).default(50),
    cursor: z.string().refine(isId, 'must be the cursor of an earlier page').optional(),
  }),
  reply: z.array(paymentRecord),
  beside: z.object({
    states: z.record(z.string(), z.int()).describe('How many payments of the page are in each state, `HELD` apart.'),
    pagination: z.object({ cursor: z.string().nullable(), hasMore: z.boolean() }),
  }),
  refuses: ['invalid_request', 'not_found'],
});
