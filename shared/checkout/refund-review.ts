import * as z from 'zod';
import { Fault } from '../kit/fault.ts';
import { nextLaterCheckMs } from './checks.ts';
import { isOver, unclearMs } from './claim.ts';
import { reasonText } from './reason.ts';
import type { Refund, RefundChange } from './refund.ts';

/** What a person has found out about an open refund at its gateway. */
export const refundReview = z.object({
  status: z.enum(['SUCCEEDED', 'FAILED']),
  failureReason: reasonText.optional().describe('With `FAILED`: stored with the refund, and shown to the merchant.'),
});

/**
 * Whether a person may settle a refund: an open one that its gateway has not accepted 15 minutes after its request, or not ended by the last check.
 * Not while a run may be asking for it, because its amount could then go back twice.
 */
export const isReviewable = ({ status, createdMs, claim, reference }: Refund, nowMs: number): boolean => {
  const isGivenTime =
    reference === undefined
      ? nowMs - createdMs < unclearMs
      : nextLaterCheckMs('refund', createdMs, nowMs) !== undefined;
  return status === 'PENDING' && !isGivenTime && (claim === undefined || isOver(claim, nowMs));
};

/**
 * An open refund by a person's word.
 * @throws Fault `conflict` when it is not reviewable
 */
export const reviewedRefund = (
  refund: Refund,
  { status, failureReason = 'A manual review found that no money had gone back.' }: z.output<typeof refundReview>,
  nowMs: number,
): RefundChange => {
  if (refund.status !== 'PENDING') throw new Fault('conflict', 'This refund has been settled already.');
  if (!isReviewable(refund, nowMs)) throw new Fault('conflict', 'The gateway is still being asked about this refund.');
  return { status, reference: refund.reference, failureReason: status === 'FAILED' ? failureReason : undefined };
};
