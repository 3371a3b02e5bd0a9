import type { Queue } from '../../../shared/aws/queue.ts';
import { nextCheck } from '../../../shared/checkout/checks.ts';
import type { PaymentJob, PaymentJobOf } from '../../../shared/checkout/payment-job.ts';
import { delayUntil } from '../../../shared/kit/time.ts';
import type { PaymentStore } from '../../../shared/table/checkout/payment-store.ts';

export interface WatchPaymentNeeds {
  readonly payments: Pick<PaymentStore, 'find'>;
  readonly paymentsQueue: Queue<PaymentJob>;
  readonly simulatorSeconds: number;
}

/** Queues the first check of a new payment, in case its callback is lost. */
export const watchPayment =
  ({ payments, paymentsQueue, simulatorSeconds }: WatchPaymentNeeds) =>
  async ({ account, session, payment }: PaymentJobOf<'watch'>, nowMs: number): Promise<void> => {
    const found = await payments.find(session, payment);
    const check = found && nextCheck(found.payment, { after: undefined, nowMs, simulatorSeconds });
    if (check)
      await paymentsQueue.send(
        [{ kind: 'resolve', account, session, payment, check: check.number }],
        delayUntil(check.dueMs, nowMs),
      );
  };
