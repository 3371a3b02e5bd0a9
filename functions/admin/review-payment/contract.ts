import * as z from 'zod';
import { reviewDecisions } from '../../../shared/checkout/payment.ts';
import { paymentRecord } from '../../../shared/checkout/payment-record.ts';
import { reasonText } from '../../../shared/checkout/reason.ts';
import { contract } from '../../../shared/http/contract.ts';
import { withRules } from '../../../shared/http/fields.ts';

export const reviewPaymentContract = contract({
  summary: 'Settle a payment that is held for review',
  description:
    '`accept`: the gateway has the right amount, so the payment succeeds and completes its session. 409 `conflict` where it cannot: another payment has completed the session or is in progress, the payment had been reported as failed, or the session has expired and the account does not accept late payments. `refund`: what the gateway has is refunded, and no webhook is sent. `reject`: there is no money, so the payment fails. After `refund` or `reject`, the session accepts another payment until it expires. A payment is reviewed once.',
  example: { decision: 'refund', reason: 'The payer sent one taka too much.' },
  status: 200,
  path: z.object({ paymentId: z.string() }),
  body: withRules(
    z.object({
      decision: z.enum(reviewDecisions),
      amountMinor: z
        .int()
        .min(1)
        .optional()
        .describe(
          'What the gateway has, for `refund` only: at most what was asked, or reported if that is more. Default: what the gateway reported, or what was asked if it reported another currency.',
        ),
      reason: reasonText.optional().describe('Stored with the decision.'),
    }),
    [
      {
        field: 'amountMinor',
        what: 'is allowed with the decision refund only',
        isBroken: ({ decision, amountMinor }) => amountMinor !== undefined && decision !== 'refund',
      },
    ],
  ),
  reply: paymentRecord,
  refuses: ['invalid_request', 'payment_not_found', 'conflict'],
  refusesWhen: {
    conflict:
      'The payment is not held for review, another payment of its session is in progress, or it can no longer complete its session.',
  },
});
