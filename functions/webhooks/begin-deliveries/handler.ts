import type { Queue } from '../../../shared/aws/queue.ts';
import type { AttemptStore } from '../../../shared/table/checkout/attempt-store.ts';
import type { DeliveryJob, FanOutJob } from '../../../shared/webhooks/jobs.ts';

export interface BeginDeliveriesNeeds {
  readonly attempts: Pick<AttemptStore, 'begin'>;
  readonly webhookDeliveries: Queue<DeliveryJob>;
}

/** Begins the deliveries of an event to some of its subscriptions: first they are written, then their first attempts queued. */
export const beginDeliveries =
  ({ attempts, webhookDeliveries }: BeginDeliveriesNeeds) =>
  async (job: FanOutJob): Promise<void> =>
    webhookDeliveries.send(await attempts.begin(job));
