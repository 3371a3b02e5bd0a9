import type { LateQueue } from '../../../shared/aws/schedule.ts';
import { nextRefundCheck } from '../../../shared/checkout/checks.ts';
import type { PaymentJob, PaymentJobOf } from '../../../shared/checkout/jobs.ts';
import type { RefundOutcome } from '../../../shared/checkout/refund.ts';
import { timeOfId } from '../../../shared/kit/id.ts';
import { log } from '../../../shared/kit/log.ts';

export interface MakeRefundNeeds {
  readonly workRefund: (
    refund: { readonly session: string; readonly refund: string },
    nowMs: number,
  ) => Promise<RefundOutcome>;
  readonly latePaymentsQueue: LateQueue<PaymentJob>;
}

/** Processes a refund until its gateway accepts or rejects it. */
export const makeRefund =
  ({ workRefund, latePaymentsQueue }: MakeRefundNeeds) =>
  async (job: PaymentJobOf<'refund'>, nowMs: number): Promise<void> => {
    const outcome = await workRefund(job, nowMs);
    if (outcome === 'over') return;
    const name = `checkout-refund-${job.refund}`;
    if (outcome === 'again') return latePaymentsQueue.sendAt(job, { dueMs: nowMs, nowMs, name });
    const next = nextRefundCheck(timeOfId(job.refund), { after: job.check, nowMs });
    if (!next) return log('error', 'a refund is still open', { ...job, needsPerson: true });
    await latePaymentsQueue.sendAt(
      { ...job, check: next.number },
      { dueMs: next.dueMs, nowMs, name: `${name}-${next.number}` },
    );
  };
