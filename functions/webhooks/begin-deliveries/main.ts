import * as live from '../../../shared/live.ts';
import { fanOutJob } from '../../../shared/webhooks/jobs.ts';
import { backingOff } from '../../../shared/work/back-off.ts';
import { queueWorker } from '../../../shared/work/queue-worker.ts';
import { beginDeliveries } from './handler.ts';

export const handler = backingOff(
  live.redelivery(),
  queueWorker(
    fanOutJob,
    beginDeliveries({ attempts: live.attempts(), webhookDeliveriesQueue: live.webhookDeliveriesQueue() }),
  ),
);
