import { setting } from '../../../shared/kit/setting.ts';
import * as live from '../../../shared/live.ts';
import { deliveryJob } from '../../../shared/webhooks/jobs.ts';
import { retryWaits } from '../../../shared/webhooks/retries.ts';
import { backingOff } from '../../../shared/work/back-off.ts';
import { groupWorker } from '../../../shared/work/queue-worker.ts';
import { attemptDelivery, groupOf } from './handler.ts';

export const handler = backingOff(
  live.redelivery(),
  groupWorker(
    deliveryJob,
    groupOf,
    attemptDelivery({
      attempts: live.attempts(),
      paces: live.paces(),
      webhooks: live.webhooks(),
      deliveries: live.deliveries(),
      webhookTarget: live.webhookTarget(),
      lateWebhookDeliveriesQueue: live.lateWebhookDeliveriesQueue(),
      laneQueues: { fast: live.webhookDeliveriesQueue(), slow: live.slowWebhookDeliveriesQueue() },
      waits: retryWaits.parse(setting('WEBHOOK_RETRY_DELAYS')),
      clock: Date.now,
    }),
  ),
);
