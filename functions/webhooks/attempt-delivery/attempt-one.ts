import type { LateQueue } from '../../../shared/aws/schedule.ts';
import { Unavailable } from '../../../shared/kit/fault.ts';
import type { Clock } from '../../../shared/kit/time.ts';
import type { WebhookTarget } from '../../../shared/providers/webhook/webhook-target.ts';
import type { AttemptStore, Loaded } from '../../../shared/table/webhooks/attempt-store.ts';
import type { Attempt, Delivery } from '../../../shared/webhooks/delivery.ts';
import type { DeliveryJob } from '../../../shared/webhooks/jobs.ts';
import { attemptsWith, nextDueMs } from '../../../shared/webhooks/retries.ts';
import { makeAttempt } from './make-attempt.ts';

export interface AttemptOneNeeds {
  readonly attempts: Pick<AttemptStore, 'load' | 'payload' | 'cancel' | 'record'>;
  readonly webhookTarget: WebhookTarget;
  readonly lateWebhookDeliveriesQueue: LateQueue<DeliveryJob>;
  /** Seconds before each attempt after the first. */
  readonly waits: readonly number[];
  readonly clock: Clock;
}

/** How long an outcome waits that the table does not take now. */
const recordAgainMs = 5_000;

/**
 * Makes one attempt, unless it has been made or is not wanted any more, and gives how long the target took. The attempt is written down
 * before the next one is queued; a run that died in between comes back, finds it written, and queues the next one then.
 */
export const attemptOne = ({ attempts, webhookTarget, lateWebhookDeliveriesQueue, waits, clock }: AttemptOneNeeds) => {
  const queueNext = (job: DeliveryJob, { earlierAttempts }: Delivery, made: Attempt): Promise<void> => {
    const next: DeliveryJob = { ...job, attempt: job.attempt + 1, lane: 'fast', outcome: undefined };
    const dueMs = nextDueMs(waits, job.attempt - earlierAttempts, made.startedMs + made.responseTime);
    const name = `retry-${next.delivery}-${next.attempt}`;
    return lateWebhookDeliveriesQueue.sendAt(next, { name, dueMs, nowMs: clock() });
  };

  /** A result that cannot be stored now is carried by the job, so that the target is not called again; without the answer's text, which may contain personal data. */
  const recordLater = (job: DeliveryJob, { startedMs, statusCode, responseTime }: Attempt): Promise<void> => {
    const name = `record-${job.delivery}-${job.attempt}`;
    const again = { ...job, outcome: { startedMs, statusCode, responseTime } };
    return lateWebhookDeliveriesQueue.sendAt(again, { name, dueMs: clock() + recordAgainMs, nowMs: clock() });
  };

  const record = async (job: DeliveryJob, loaded: Loaded, made: Attempt): Promise<void> => {
    try {
      const state = await attempts.record(loaded, made, attemptsWith(waits));
      if (state === 'pending') await queueNext(job, loaded.delivery, made);
    } catch (thrown) {
      if (!(thrown instanceof Unavailable)) throw thrown;
      await recordLater(job, made);
    }
  };

  const attempt = async (job: DeliveryJob, loaded: Loaded): Promise<number> => {
    const payload = await attempts.payload(loaded);
    if (payload === undefined) return 0;
    const made = await makeAttempt(webhookTarget, loaded, payload, clock);
    await record(job, loaded, made);
    return made.responseTime;
  };

  return async (job: DeliveryJob): Promise<number> => {
    const loaded = await attempts.load(job);
    if (!loaded) return 0;
    const { delivery } = loaded;
    const made = delivery.attempts.find(({ number }) => number === job.attempt);
    const isNext = delivery.attemptsMade === job.attempt - 1;
    if (job.outcome && isNext) await record(job, loaded, { ...job.outcome, responseBody: '' });
    else if (delivery.state === 'cancelled') await attempts.cancel(loaded);
    else if (delivery.state !== 'pending') return 0;
    else if (isNext) return attempt(job, loaded);
    else if (made && delivery.attemptsMade === job.attempt) await queueNext(job, delivery, made);
    return 0;
  };
};
