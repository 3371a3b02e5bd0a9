import type { PaymentJob } from '../../../shared/checkout/jobs.ts';
import type { Clock } from '../../../shared/kit/time.ts';
import type { Guard } from '../../../shared/work/queue-worker.ts';
import { type CheckPaymentNeeds, checkPayment } from './check-payment.ts';
import { type ConfirmPaymentNeeds, confirmPayment } from './confirm-payment.ts';
import { type ExpireSessionNeeds, expireSession } from './expire-session.ts';
import { type MakeRefundNeeds, makeRefund } from './make-refund.ts';
import { type OpenPaymentNeeds, openPayment } from './open-payment.ts';
import { type SweepDueNeeds, sweepDue } from './sweep-due.ts';
import { type WatchPaymentNeeds, watchPayment } from './watch-payment.ts';

export type WorkPaymentsNeeds = OpenPaymentNeeds &
  ConfirmPaymentNeeds &
  CheckPaymentNeeds &
  WatchPaymentNeeds &
  ExpireSessionNeeds &
  MakeRefundNeeds &
  SweepDueNeeds & { readonly clock: Clock };

/** The jobs of one session, or those of one kind that are about none. */
export const groupOf = (job: PaymentJob) => ('session' in job ? { session: job.session } : { kind: job.kind });

/** Runs the jobs of one session's money, or a sweep, sequentially. Slow calls are made here, where no request waits; only a merchant who ends a session waits for its gateway. */
export const workPayments = (needs: WorkPaymentsNeeds) => {
  const [open, check, confirm] = [openPayment(needs), checkPayment(needs), confirmPayment(needs)];
  const [refund, expire, sweep] = [makeRefund(needs), expireSession(needs), sweepDue(needs)];
  const watch = watchPayment(needs);

  const work = (job: PaymentJob): Promise<void> => {
    const nowMs = needs.clock();
    switch (job.kind) {
      case 'watch':
        return watch(job, nowMs);
      case 'open':
        return open(job, nowMs);
      case 'resolve':
        return check(job, nowMs);
      case 'confirm':
        return confirm(job, nowMs);
      case 'refund':
        return refund(job, nowMs);
      case 'expire':
        return expire(job, nowMs);
      case 'sweep':
        return sweep(job, nowMs);
    }
  };

  return async (jobs: readonly PaymentJob[], guard: Guard<PaymentJob>): Promise<void> => {
    for (const job of jobs) await guard(job, () => work(job));
  };
};
