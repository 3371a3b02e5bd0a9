import * as z from 'zod';
import { exampleId, newerExampleId } from '../kit/id.ts';
import { iso } from '../kit/time.ts';
import { type Payment, paymentMarks, reviewDecisions } from './payment.ts';
import { paymentStatuses } from './session.ts';

/** A payment as the admin API shows it. */
export const paymentRecord = z
  .object({
    id: z.string(),
    checkoutSessionId: z.string(),
    gatewayCode: z.string(),
    livemode: z.boolean(),
    status: z.enum(paymentStatuses),
    mark: z
      .enum(paymentMarks)
      .nullable()
      .describe(
        '`held`: the gateway’s report does not match the payment, or calls it risky, so it is under manual review. `surplus`: refunded automatically. `late`: accepted after the session expired. `cancelled`: cancelled by the payer, by the merchant’s end of the session, or at the gateway.',
      ),
    amountMinor: z.int(),
    currency: z.string(),
    refundableMinor: z.int().describe('The amount that can still be refunded.'),
    transactionId: z.string().nullable().describe('The gateway’s id of the transaction.'),
    lastAnswer: z
      .object({
        state: z.string(),
        code: z.string().optional(),
        reason: z.string().optional(),
        reported: z
          .object({
            amountMinor: z.int().optional(),
            currency: z.string().optional(),
            paymentId: z.string().optional(),
            reference: z.string().optional(),
            transactionId: z.string().optional(),
            isRisky: z.boolean().optional(),
          })
          .optional()
          .describe('Why the payment is or was held: what the gateway reported.'),
        at: z.string(),
      })
      .nullable()
      .describe('The last response of the gateway.'),
    review: z
      .object({
        decision: z.enum(reviewDecisions),
        reason: z.string().optional(),
        amountMinor: z.int().optional().describe('Of a refund, if it was given.'),
        at: z.string(),
      })
      .nullable()
      .describe('The decision of an owner or an operator on a held payment.'),
    createdAt: z.string(),
  })
  .meta({
    id: 'Payment',
    description: 'One attempt to pay a session.',
    examples: [
      {
        id: newerExampleId,
        checkoutSessionId: exampleId,
        gatewayCode: 'sim_card',
        livemode: false,
        status: 'SUCCEEDED',
        mark: null,
        amountMinor: 600_000,
        currency: 'BDT',
        refundableMinor: 350_000,
        transactionId: 'sim_7f3b8c550d1f',
        lastAnswer: { state: 'succeeded', at: '2026-11-20T12:00:04.210Z' },
        review: null,
        createdAt: '2026-11-20T12:00:00.000Z',
      },
    ],
  });

export const paymentRecordOf = ({
  sessionId,
  mark,
  transactionId,
  lastAnswer,
  review,
  createdMs,
  ...payment
}: Payment): z.input<typeof paymentRecord> => ({
  ...payment,
  checkoutSessionId: sessionId,
  mark: mark ?? null,
  transactionId: transactionId ?? null,
  lastAnswer: lastAnswer ?? null,
  review: review ?? null,
  createdAt: iso(createdMs),
});
