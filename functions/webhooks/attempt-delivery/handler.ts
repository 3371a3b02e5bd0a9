import type { Queue } from '../../../shared/aws/queue.ts';
import type { LateQueue } from '../../../shared/aws/schedule.ts';
import type { Clock } from '../../../shared/kit/time.ts';
import type { WebhookTarget } from '../../../shared/providers/webhook/webhook-target.ts';
import type { Attempts } from '../../../shared/table/attempt-storage.ts';
import type { Paces } from '../../../shared/table/pace-storage.ts';
import type { Attempt, Delivery } from '../../../shared/webhooks/delivery.ts';
import type { DeliveryJob } from '../../../shared/webhooks/jobs.ts';
import { attemptsWith, nextDueMs } from '../../../shared/webhooks/retries.ts';
import { makeAttempt } from './make-attempt.ts';
import { takeTurn } from './take-turn.ts';

export interface AttemptDeliveryNeeds {
  readonly attempts: Pick<Attempts, 'load' | 'cancel' | 'record'>;
  readonly paces: Pick<Paces, 'enter' | 'leave' | 'appoint'>;
  readonly webhookTarget: WebhookTarget;
  readonly lateWebhookDeliveries: LateQueue<DeliveryJob>;
  readonly slowWebhookDeliveries: Queue<DeliveryJob>;
  /** Seconds before each attempt after the first. */
  readonly waits: readonly number[];
  readonly clock?: Clock;
}

/**
 * Makes one attempt, unless it has been made or is not wanted any more. It is written down before the next one is queued; a run that died in
 * between comes back, finds it written, and queues the next one then.
 */
export const attemptDelivery = ({
  attempts,
  paces,
  webhookTarget,
  waits,
  clock = Date.now,
  ...queues
}: AttemptDeliveryNeeds) => {
  const queueNext = (job: DeliveryJob, { earlierAttempts }: Delivery, made: Attempt): Promise<void> => {
    const next: DeliveryJob = { ...job, attempt: job.attempt + 1, lane: 'fast' };
    const dueMs = nextDueMs(waits, job.attempt - earlierAttempts, made.startedMs + made.responseTime);
    const name = `retry-${next.delivery}-${next.attempt}`;
    return queues.lateWebhookDeliveries.sendAt(next, { name, dueMs, nowMs: clock() });
  };

  return async (job: DeliveryJob): Promise<void> => {
    const loaded = await attempts.load(job);
    if (loaded?.delivery.state !== 'pending') return;
    const { target, delivery } = loaded;
    if (!target.isActive) return attempts.cancel(delivery);
    const earlier = delivery.attempts[job.attempt - 1];
    if (earlier) return delivery.attempts.length > job.attempt ? undefined : queueNext(job, delivery, earlier);

    const taken = await takeTurn(paces, job, clock);
    if (taken.kind === 'later') return queues.slowWebhookDeliveries.send([{ ...job, lane: 'slow' }], taken);
    const made = await makeAttempt(webhookTarget, loaded, clock);
    const [state] = await Promise.all([
      attempts.record(loaded, made, attemptsWith(waits)),
      paces.leave(taken.turn, made.responseTime, clock()),
    ]);
    if (state === 'pending') await queueNext(job, delivery, made);
  };
};
