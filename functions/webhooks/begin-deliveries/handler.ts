import type { Queue } from '../../../shared/aws/queue.ts';
import type { AttemptStore } from '../../../shared/table/webhooks/attempt-store.ts';
import type { DeliveryJob, FanOutJob } from '../../../shared/webhooks/jobs.ts';

export interface BeginDeliveriesNeeds {
  readonly attempts: Pick<AttemptStore, 'begin'>;
  readonly webhookDeliveriesQueue: Queue<DeliveryJob>;
}

/** Begins the deliveries of an event to some of its subscriptions: first they are written, then their first attempts queued. */
export const beginDeliveries =
  ({ attempts, webhookDeliveriesQueue }: BeginDeliveriesNeeds) =>
  async (job: FanOutJob): Promise<void> =>
    webhookDeliveriesQueue.send(await attempts.begin(job));
