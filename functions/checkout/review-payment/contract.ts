import * as z from 'zod';
import { reviewDecisions } from '../../../shared/checkout/payment.ts';
import { paymentRecord } from '../../../shared/checkout/payment-record.ts';
import { contract } from '../../../shared/http/contract.ts';

export const reviewPaymentContract = contract({
  summary: 'Settle a payment that is held for review',
  description:
    '`accept`: the gateway has the right amount, so the payment succeeds and completes its session. 409 `conflict` where it cannot: another payment has completed the session or is in progress, the payment had been reported as failed, or the session has expired and the account does not accept late payments. `refund`: the amount that the gateway reported is refunded (the payment’s own if it reported another currency), and no webhook is sent. `reject`: there is no money, so the payment fails. After `refund` or `reject`, the session accepts another payment until it expires. A payment is reviewed once.',
  example: { decision: 'refund', reason: 'The payer sent one taka too much.' },
  status: 200,
  path: z.object({ paymentId: z.string() }),
  body: z.object({
    decision: z.enum(reviewDecisions),
    reason: z.string().trim().min(1).max(255).optional().describe('Stored with the decision.'),
  }),
  reply: paymentRecord,
  refuses: ['invalid_request', 'payment_not_found', 'conflict'],
});
