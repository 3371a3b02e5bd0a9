import type { LateQueue } from '../../../shared/aws/schedule.ts';
import { isWorthAsking, nextCheck } from '../../../shared/checkout/checks.ts';
import type { PaymentJob, PaymentJobOf } from '../../../shared/checkout/jobs.ts';
import type { PaymentStore } from '../../../shared/table/checkout/payment-store.ts';
import { sendAgain } from './confirm-payment.ts';
import { type QueryPaymentNeeds, queryPayment } from './query-payment.ts';

export interface CheckPaymentNeeds extends QueryPaymentNeeds {
  readonly payments: Pick<PaymentStore, 'find' | 'releaseConfirmation'>;
  readonly latePaymentsQueue: LateQueue<PaymentJob>;
  readonly simulatorSeconds: number;
}

/** Queries a payment's status. A check for lost callbacks queues the next one, as long as the status may change. */
export const checkPayment = (needs: CheckPaymentNeeds) => {
  const { payments, latePaymentsQueue, simulatorSeconds } = needs;
  const ask = queryPayment(needs);

  return async (job: PaymentJobOf<'resolve'>, nowMs: number): Promise<void> => {
    const before = await payments.find(job.session, job.payment);
    const mayBePaidAgain = job.isPaidAgain === true && before?.payment.status === 'SUCCEEDED';
    if (!before || !(mayBePaidAgain || isWorthAsking(before.payment))) return;
    const { found, isConfirmationLost } = await ask(before, nowMs);
    const { session, payment } = job;
    if (isConfirmationLost)
      await sendAgain(latePaymentsQueue, { kind: 'confirm', session, payment, attempt: 1 }, 0, nowMs);
    if (job.check === undefined || !isWorthAsking(found.payment)) return;
    const next = nextCheck(found.payment, { after: job.check, nowMs, simulatorSeconds });
    if (!next) return;
    const name = `checkout-check-${payment}-${next.number}`;
    await latePaymentsQueue.sendAt({ ...job, check: next.number }, { dueMs: next.dueMs, nowMs, name });
  };
};
