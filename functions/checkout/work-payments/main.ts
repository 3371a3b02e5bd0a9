import { paymentJob } from '../../../shared/checkout/payment-job.ts';
import { setting } from '../../../shared/kit/setting.ts';
import * as live from '../../../shared/live.ts';
import { backingOff } from '../../../shared/work/back-off.ts';
import { groupWorker } from '../../../shared/work/queue-worker.ts';
import { groupOf, workPayments } from './handler.ts';

/** A gateway is asked for 20 seconds at most. */
const longestJobMs = 21_000;

export const handler = backingOff(
  live.redelivery(),
  groupWorker(
    paymentJob,
    groupOf,
    workPayments({
      sessions: live.sessions(),
      payments: live.payments(),
      refunds: live.refunds(),
      findAdapter: live.findAdapter(),
      addresses: live.checkoutAddresses(),
      resolver: live.resolver(),
      workRefund: live.workRefund(),
      due: live.due(),
      paymentsQueue: live.paymentsQueue(),
      lifetimeSeconds: Number(setting('CHECKOUT_SESSION_TTL')),
      simulatorSeconds: Number(setting('SIM_TIMEOUT_SECONDS')),
      clock: Date.now,
    }),
    { jobMs: longestJobMs },
  ),
);
