import * as z from 'zod';
import { listedRefund } from '../../../shared/checkout/refund-record.ts';
import { contract } from '../../../shared/http/contract.ts';

export const listRefundsContract = contract({
  summary: 'List the refunds of a payment',
  description: 'Returns all of them, oldest first.',
  status: 200,
  path: z.object({ paymentId: z.string() }),
  reply: z.array(listedRefund),
  refuses: ['payment_not_found'],
});
