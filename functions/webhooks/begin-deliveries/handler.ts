import type { Queue } from '../../../shared/aws/queue.ts';
import type { AttemptStore } from '../../../shared/table/webhooks/attempt-store.ts';
import { deliveryId, newDelivery } from '../../../shared/webhooks/delivery.ts';
import type { DeliveryJob, FanOutJob } from '../../../shared/webhooks/jobs.ts';

export interface BeginDeliveriesNeeds {
  readonly attempts: Pick<AttemptStore, 'add'>;
  readonly webhookDeliveriesQueue: Queue<DeliveryJob>;
}

/** Stores a delivery of an event for each subscription of the job, then queues the first attempts: on a repetition, those that were not made yet. */
export const beginDeliveries = ({ attempts, webhookDeliveriesQueue }: BeginDeliveriesNeeds) => {
  const begin = async (
    { account, eventId, event, atMs }: FanOutJob,
    { id: webhookId, pauses }: FanOutJob['listeners'][number],
  ): Promise<DeliveryJob[]> => {
    const id = deliveryId(eventId, webhookId, atMs);
    const { state, attemptsMade } = await attempts.add(account, newDelivery({ id, webhookId, event, eventId, pauses }));
    const isUntried = state === 'pending' && attemptsMade === 0;
    return isUntried ? [{ account, webhook: webhookId, delivery: id, attempt: 1, lane: 'fast' }] : [];
  };

  return async (job: FanOutJob): Promise<void> => {
    const jobs = await Promise.all(job.listeners.map((listener) => begin(job, listener)));
    await webhookDeliveriesQueue.send(jobs.flat());
  };
};
