import * as z from 'zod';
import { refundRecord } from '../../../shared/checkout/refund.ts';
import { contract } from '../../../shared/http/contract.ts';

export const createRefundContract = contract({
  summary: 'Refund a payment, in full or in part',
  description:
    'The gateway is asked afterwards; the event refund.succeeded or refund.failed tells the end. An `Idempotency-Key` makes one refund of its payment, however often it is sent.',
  example: { amountMinor: 250_000, reason: 'One of two items was returned.' },
  status: 201,
  path: z.object({ paymentId: z.string() }),
  body: z.object({
    amountMinor: z.int().min(1).optional().describe('In minor units; all that is left when it is not sent.'),
    reason: z.string().trim().min(1).max(255).optional(),
  }),
  reply: refundRecord,
  headers: z.object({ 'Idempotent-Replay': z.literal('true').optional() }),
  isReplayable: true,
  refuses: ['invalid_request', 'not_found', 'payment_not_refundable'],
});
