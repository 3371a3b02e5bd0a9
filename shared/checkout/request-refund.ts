import * as z from 'zod';
import { Fault } from '../kit/fault.ts';
import { alsoAbout } from '../kit/log.ts';
import type { FoundPayment, Payment } from './payment.ts';
import { reasonText } from './reason.ts';
import { newRefund, type Refund } from './refund.ts';
import { refundAnswerOf } from './refund-record.ts';

/** What of a payment is to be refunded. */
export const refundWish = z.object({
  amountMinor: z
    .int()
    .min(1)
    .optional()
    .describe('In minor units. If omitted, everything that has not been refunded yet.'),
  reason: reasonText.optional(),
});

interface RefundRequest extends z.output<typeof refundWish> {
  readonly id: string;
  readonly nowMs: number;
  readonly idempotencyKey: string | undefined;
}

interface RequestRefundNeeds {
  readonly refunds: {
    add(
      found: FoundPayment,
      refund: Refund,
      idempotencyKey?: string,
    ): Promise<{ readonly refund: Refund; readonly isReplay: boolean } | { readonly leftMinor: number }>;
  };
}

/**
 * Refunds a payment, by default all that is left of it. Inserting the refund starts the worker.
 * @throws Fault `code` when that is more than is left
 */
export const requestRefund = async (
  { refunds }: RequestRefundNeeds,
  found: FoundPayment,
  { id, amountMinor, reason, nowMs, idempotencyKey }: RefundRequest,
  code: 'payment_not_refundable' | 'conflict',
) => {
  alsoAbout({ sessionId: found.session.id, paymentId: found.payment.id });
  const ask = async (leftMinor: number) => {
    // Nothing left: more than there can be, should there be something by now.
    const wantedMinor = amountMinor ?? (leftMinor || Number.MAX_SAFE_INTEGER);
    const refund = newRefund(found.payment, { id, amountMinor: wantedMinor, reason, nowMs });
    const added = await refunds.add(found, refund, idempotencyKey);
    if ('refund' in added) {
      alsoAbout({ refundId: added.refund.id });
      return refundAnswerOf(added.refund, added.isReplay);
    }
    // Another refund was quicker: of the rest there is less now, or after a failed one more.
    const isAnotherRest = amountMinor === undefined && added.leftMinor > 0 && added.leftMinor !== leftMinor;
    if (isAnotherRest) return ask(added.leftMinor);
    throw new Fault(code, whyNot(found.payment, added.leftMinor));
  };
  return ask(found.payment.refundableMinor);
};

const whyNot = ({ status }: Payment, leftMinor: number): string => {
  if (status !== 'SUCCEEDED') return 'Only a payment that has succeeded can be refunded.';
  return leftMinor === 0
    ? 'Nothing of this payment is left to refund.'
    : `At most ${leftMinor} (minor units) of this payment can be refunded.`;
};
