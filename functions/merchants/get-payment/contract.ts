import * as z from 'zod';
import { paymentView } from '../../../shared/checkout/payment-view.ts';
import { contract } from '../../../shared/http/contract.ts';

export const getPaymentContract = contract({
  summary: 'Get a payment',
  description: 'A payment of another mode than the key’s is not found.',
  status: 200,
  path: z.object({ id: z.string() }),
  reply: paymentView,
  refuses: ['payment_not_found'],
});
