import * as z from 'zod';
import { reviewDecisions } from '../../../shared/checkout/payment.ts';
import { paymentRecord } from '../../../shared/checkout/payment-record.ts';
import { contract } from '../../../shared/http/contract.ts';

export const reviewPaymentContract = contract({
  summary: 'Settle a payment that is held for review',
  description:
    '`accept`: the right money is there, so the payment succeeds; it completes the session, or is refunded where the session has been completed otherwise or has expired (unless the account accepts late payments). `refund`: the money goes back, as much as the gateway reported, and the merchant hears nothing. `reject`: there is no money, so the payment fails. After `refund` and `reject` the session takes another payment until it expires. A payment is reviewed once.',
  example: { decision: 'refund', reason: 'The payer sent one taka too much.' },
  status: 200,
  path: z.object({ paymentId: z.string() }),
  body: z.object({
    decision: z.enum(reviewDecisions),
    reason: z.string().trim().min(1).max(255).optional().describe('For the record.'),
  }),
  reply: paymentRecord,
  refuses: ['invalid_request', 'not_found', 'conflict'],
});
