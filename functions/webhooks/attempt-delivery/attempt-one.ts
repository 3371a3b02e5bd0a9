import type { LateQueue } from '../../../shared/aws/schedule.ts';
import type { Clock } from '../../../shared/kit/time.ts';
import type { WebhookTarget } from '../../../shared/providers/webhook/webhook-target.ts';
import type { Attempts, Loaded } from '../../../shared/table/attempt-storage.ts';
import type { Attempt, Delivery } from '../../../shared/webhooks/delivery.ts';
import type { DeliveryJob } from '../../../shared/webhooks/jobs.ts';
import { attemptsWith, nextDueMs } from '../../../shared/webhooks/retries.ts';
import { makeAttempt } from './make-attempt.ts';

export interface AttemptOneNeeds {
  readonly attempts: Pick<Attempts, 'load' | 'cancel' | 'record'>;
  readonly webhookTarget: WebhookTarget;
  readonly lateWebhookDeliveries: LateQueue<DeliveryJob>;
  /** Seconds before each attempt after the first. */
  readonly waits: readonly number[];
  readonly clock: Clock;
}

/**
 * Makes one attempt, unless it has been made or is not wanted any more, and gives how long the target took. The attempt is written down
 * before the next one is queued; a run that died in between comes back, finds it written, and queues the next one then.
 */
export const attemptOne = ({ attempts, webhookTarget, lateWebhookDeliveries, waits, clock }: AttemptOneNeeds) => {
  const queueNext = (job: DeliveryJob, { earlierAttempts }: Delivery, made: Attempt): Promise<void> => {
    const next: DeliveryJob = { ...job, attempt: job.attempt + 1, lane: 'fast' };
    const dueMs = nextDueMs(waits, job.attempt - earlierAttempts, made.startedMs + made.responseTime);
    const name = `retry-${next.delivery}-${next.attempt}`;
    return lateWebhookDeliveries.sendAt(next, { name, dueMs, nowMs: clock() });
  };

  const attempt = async (job: DeliveryJob, loaded: Loaded): Promise<number> => {
    const made = await makeAttempt(webhookTarget, loaded, clock);
    const state = await attempts.record(loaded, made, attemptsWith(waits));
    if (state === 'pending') await queueNext(job, loaded.delivery, made);
    return made.responseTime;
  };

  return async (job: DeliveryJob): Promise<number> => {
    const loaded = await attempts.load(job);
    if (loaded?.delivery.state !== 'pending') return 0;
    const { target, delivery } = loaded;
    const made = delivery.attempts[job.attempt - 1];
    if (!target.isActive) await attempts.cancel(delivery);
    else if (!made) return attempt(job, loaded);
    else if (delivery.attempts.length === job.attempt) await queueNext(job, delivery, made);
    return 0;
  };
};
