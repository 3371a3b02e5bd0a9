import { strandedJob } from '../../../shared/accounts/stranded.ts';
import * as live from '../../../shared/live.ts';
import { backingOff } from '../../../shared/work/back-off.ts';
import { queueWorker } from '../../../shared/work/queue-worker.ts';
import { findStranded } from './handler.ts';

export const handler = backingOff(
  live.redelivery(),
  queueWorker(
    strandedJob,
    findStranded({
      accounts: live.accounts(),
      unreported: live.unreported(),
      stranded: live.stranded(),
      strandedWork: live.strandedWorkQueue(),
      interruptedSends: live.interruptedSendsQueue(),
      texts: live.textQueues(),
      webhookDeliveriesQueue: live.webhookDeliveriesQueue(),
    }),
  ),
);
