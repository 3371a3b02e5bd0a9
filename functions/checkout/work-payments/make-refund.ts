import type { LateQueue } from '../../../shared/aws/schedule.ts';
import { nextRefundCheck } from '../../../shared/checkout/checks.ts';
import type { PaymentJob, PaymentJobOf } from '../../../shared/checkout/jobs.ts';
import { timeOfId } from '../../../shared/kit/id.ts';
import { log } from '../../../shared/kit/log.ts';

export interface MakeRefundNeeds {
  /** Gives whether the refund is still open. */
  readonly workRefund: (refund: { readonly session: string; readonly refund: string }) => Promise<boolean>;
  readonly latePayments: LateQueue<PaymentJob>;
}

/** Works on a refund until its gateway has said yes or no. */
export const makeRefund =
  ({ workRefund, latePayments }: MakeRefundNeeds) =>
  async (job: PaymentJobOf<'refund'>, nowMs: number): Promise<void> => {
    if (!(await workRefund(job))) return;
    const next = nextRefundCheck(timeOfId(job.refund), { after: job.check, nowMs });
    if (!next) return log('error', 'a refund is still open', { ...job, needsPerson: true });
    const name = `checkout-refund-${job.refund}-${next.number}`;
    await latePayments.sendAt({ ...job, check: next.number }, { dueMs: next.dueMs, nowMs, name });
  };
