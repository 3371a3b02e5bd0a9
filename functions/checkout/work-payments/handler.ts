import type { PaymentJob } from '../../../shared/checkout/payment-job.ts';
import { byKind } from '../../../shared/kit/by-kind.ts';
import type { Guard } from '../../../shared/work/queue-worker.ts';
import { type CheckPaymentNeeds, checkPayment } from './check-payment.ts';
import { type ConfirmPaymentNeeds, confirmPayment } from './confirm-payment.ts';
import { type MakeRefundNeeds, makeRefund } from './make-refund.ts';
import { type OpenPaymentNeeds, openPayment } from './open-payment.ts';
import { type RecordExpiryNeeds, recordExpiry } from './record-expiry.ts';
import { type SweepDueNeeds, sweepDue } from './sweep-due.ts';
import { type WatchPaymentNeeds, watchPayment } from './watch-payment.ts';

export type WorkPaymentsNeeds = OpenPaymentNeeds &
  ConfirmPaymentNeeds &
  CheckPaymentNeeds &
  WatchPaymentNeeds &
  RecordExpiryNeeds &
  MakeRefundNeeds &
  SweepDueNeeds;

/** The jobs of one session, or those of one kind that are about none. */
export const groupOf = (job: PaymentJob) => ('session' in job ? { session: job.session } : { kind: job.kind });

/** Runs the jobs of one session's money, or a sweep, sequentially. Slow calls are made here, where no request waits; only a merchant who ends a session waits for its gateway. */
export const workPayments = (needs: WorkPaymentsNeeds) => {
  const work = byKind<PaymentJob, [nowMs: number]>({
    watch: watchPayment(needs),
    open: openPayment(needs),
    resolve: checkPayment(needs),
    confirm: confirmPayment(needs),
    refund: makeRefund(needs),
    expire: recordExpiry(needs),
    sweep: sweepDue(needs),
  });

  return async (jobs: readonly PaymentJob[], guard: Guard<PaymentJob>): Promise<void> => {
    for (const job of jobs) await guard(job, () => work(job.kind, job, needs.clock()));
  };
};
