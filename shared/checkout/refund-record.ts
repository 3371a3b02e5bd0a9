import * as z from 'zod';
import { newerExampleId } from '../kit/id.ts';
import { iso } from '../kit/time.ts';
import { type Refund, refundStatuses } from './refund.ts';
import { replayMarkOf } from './replay-mark.ts';

const exampleRefund = {
  id: '019a9c20-14c6-7d02-8a3f-5e6f7a8b9c0d',
  paymentId: newerExampleId,
  amountMinor: 250_000,
  currency: 'BDT',
  status: 'PENDING',
  reason: 'One of two items was returned.',
  isAutomatic: false,
  failureReason: null,
  createdAt: '2026-11-20T14:30:00.000Z',
};

/** A refund as the admin API and the checkout API show it. */
export const refundRecord = z
  .object({
    id: z.string(),
    paymentId: z.string(),
    amountMinor: z.int(),
    currency: z.string(),
    status: z.enum(refundStatuses),
    reason: z.string().nullable(),
    isAutomatic: z.boolean().describe('True: a refund of surplus money. No webhook is sent for it.'),
    failureReason: z.string().nullable(),
    createdAt: z.string(),
  })
  .meta({
    id: 'Refund',
    description: 'A refund of a payment, in full or in part.',
    examples: [exampleRefund],
  });

/** A refund as who may have to settle it sees it. */
export const listedRefund = refundRecord
  .extend({
    orderNumber: z
      .string()
      .optional()
      .describe(
        'The name by which the gateway knows it; there only while the gateway leaves it open and a person can settle it.',
      ),
  })
  .meta({ id: 'ListedRefund', description: 'A refund of a payment, in full or in part.', examples: [exampleRefund] });

export const refundRecordOf = ({ reason, failureReason, createdMs, ...refund }: Refund) => ({
  ...refund,
  reason: reason ?? null,
  failureReason: failureReason ?? null,
  createdAt: iso(createdMs),
});

export const refundAnswerOf = (refund: Refund, isReplay: boolean) => ({
  data: refundRecordOf(refund),
  headers: replayMarkOf(isReplay),
});
