import * as z from 'zod';
import { refundRecord } from '../../../shared/checkout/refund-record.ts';
import { refundReview } from '../../../shared/checkout/refund-review.ts';
import { contract } from '../../../shared/http/contract.ts';

export const reviewRefundContract = contract({
  summary: 'Settle a refund that its gateway leaves open',
  description:
    'For a refund that its gateway has not accepted 15 minutes after its request, or has accepted and not ended in 30 days; in the list of refunds, such a refund has an `orderNumber`. Look it up at the gateway first: the gateway is not asked about it any more. `SUCCEEDED`: the money has gone back. `FAILED`: it has not, so its amount can be refunded again. The event refund.succeeded or refund.failed reports the result, unless the refund is automatic.',
  example: { status: 'FAILED', failureReason: 'The bank of the payer rejected the refund.' },
  status: 200,
  path: z.object({ paymentId: z.string(), refundId: z.string() }),
  body: refundReview,
  reply: refundRecord,
  refuses: ['invalid_request', 'payment_not_found', 'refund_not_found', 'conflict'],
  refusesWhen: { conflict: 'The refund is settled already, or its gateway is still being asked about it.' },
});
