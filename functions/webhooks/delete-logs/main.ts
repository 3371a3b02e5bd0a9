import * as live from '../../../shared/live.ts';
import { deletionJob } from '../../../shared/webhooks/jobs.ts';
import { backingOff } from '../../../shared/work/back-off.ts';
import { queueWorker } from '../../../shared/work/queue-worker.ts';
import { deleteLogs } from './handler.ts';

export const handler = backingOff(
  live.redelivery(),
  queueWorker(
    deletionJob,
    deleteLogs({
      accounts: live.accounts(),
      webhooks: live.allWebhooks(),
      deliveries: live.deliveries(),
      paces: live.paces(),
      deletedWebhooksQueue: live.deletedWebhooksQueue(),
    }),
  ),
);
