import * as z from 'zod';
import { paymentView } from '../../../shared/checkout/payment-view.ts';
import { contract } from '../../../shared/http/contract.ts';

export const getPaymentContract = contract({
  summary: 'Get a payment',
  description: 'Test keys find only test payments, and live keys only live ones.',
  status: 200,
  path: z.object({ id: z.string() }),
  reply: paymentView,
  refuses: ['payment_not_found'],
});
