import type { Queue } from '../../../shared/aws/queue.ts';
import { nextLaterCheckMs, nextRefundCheck } from '../../../shared/checkout/checks.ts';
import { orderNumberOf } from '../../../shared/checkout/order-number.ts';
import type { PaymentJob, PaymentJobOf } from '../../../shared/checkout/payment-job.ts';
import type { RefundOutcome } from '../../../shared/checkout/work-refund.ts';
import { timeOfId } from '../../../shared/kit/id.ts';
import { log } from '../../../shared/kit/log.ts';
import { delayUntil } from '../../../shared/kit/time.ts';
import type { RefundStore } from '../../../shared/table/checkout/refund-store.ts';

export interface MakeRefundNeeds {
  readonly refunds: Pick<RefundStore, 'find'>;
  readonly workRefund: (
    refund: { readonly session: string; readonly refund: string },
    nowMs: number,
  ) => Promise<RefundOutcome>;
  readonly paymentsQueue: Queue<PaymentJob>;
}

/** Processes a refund until its gateway accepts or rejects it. */
export const makeRefund =
  ({ refunds, workRefund, paymentsQueue }: MakeRefundNeeds) =>
  async (job: PaymentJobOf<'refund'>, nowMs: number): Promise<void> => {
    const outcome = await workRefund(job, nowMs);
    if (outcome === 'over') return;
    if (outcome === 'again') return paymentsQueue.send([job]);
    const createdMs = timeOfId(job.refund);
    const next = nextRefundCheck(createdMs, { after: job.check, nowMs });
    if (next) return paymentsQueue.send([{ ...job, check: next.number }], delayUntil(next.dueMs, nowMs));
    if (nextLaterCheckMs('refund', createdMs, nowMs) !== undefined) return;
    const found = await refunds.find(job.session, job.refund);
    log('error', 'a refund is still open', {
      accountId: found?.refund.accountId,
      sessionId: job.session,
      paymentId: found?.refund.paymentId,
      refundId: job.refund,
      orderNumber: orderNumberOf(job.refund),
      needsPerson: true,
    });
  };
