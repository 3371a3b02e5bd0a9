import type { LateQueue } from '../../../shared/aws/schedule.ts';
import { ComesBack } from '../../../shared/kit/comes-back.ts';
import { Unavailable } from '../../../shared/kit/fault.ts';
import type { Clock } from '../../../shared/kit/time.ts';
import type { WebhookTarget } from '../../../shared/providers/webhook/webhook-target.ts';
import type { AttemptStore, Loaded, LoadedGroup } from '../../../shared/table/webhooks/attempt-store.ts';
import type { Lease, PaceStore } from '../../../shared/table/webhooks/pace-store.ts';
import type { Attempt, Delivery } from '../../../shared/webhooks/delivery.ts';
import type { DeliveryJob } from '../../../shared/webhooks/jobs.ts';
import { attemptsWith, nextDueMs } from '../../../shared/webhooks/retries.ts';
import { emptyTally, type Tally } from '../../../shared/webhooks/tally.ts';
import { makeAttempt } from './make-attempt.ts';
import type { Watched } from './watch-slow.ts';

export interface AttemptOneNeeds {
  readonly attempts: Pick<AttemptStore, 'cancel' | 'record' | 'countAlone'>;
  readonly paces: Pick<PaceStore, 'endFailing' | 'endOf'>;
  readonly webhookTarget: WebhookTarget;
  readonly lateWebhookDeliveriesQueue: LateQueue<DeliveryJob>;
  /** Seconds before each attempt after the first. */
  readonly waits: readonly number[];
  readonly clock: Clock;
}

/** What one job did: how long its target took, if it was called, and what its lease is to count. */
export interface Done {
  readonly tookMs: number | undefined;
  readonly tally: Tally;
}

/** What a job shares with those of its lease. */
export interface Surroundings {
  readonly all: LoadedGroup;
  readonly lease: Lease;
  readonly watched: Watched;
  /** Called with a job of which it is not known whether its outcome was recorded. */
  readonly doubt: (job: DeliveryJob) => void;
}

/** The target was not called, and nothing is to be counted. */
export const nothing: Done = { tookMs: undefined, tally: emptyTally };

/** Thrown so that the job returns later, and the delivery is counted for certain. */
const uncounted = 'another run has yet to count this delivery';

/** When an outcome that the table could not take is written again. */
const recordAgainMs = 5_000;

/**
 * Makes one attempt, unless it has been made or is not wanted any more. The attempt is written down before the next one is queued; a run that
 * died in between comes back, finds it written, and queues the next one then.
 */
export const attemptOne = ({
  attempts,
  paces,
  webhookTarget,
  lateWebhookDeliveriesQueue,
  waits,
  clock,
}: AttemptOneNeeds) => {
  const queueNext = (job: DeliveryJob, { earlierAttempts }: Delivery, made: Attempt): Promise<void> => {
    const next: DeliveryJob = {
      ...job,
      attempt: job.attempt + 1,
      earlierAttempts,
      lane: 'fast',
      outcome: undefined,
    };
    const dueMs = nextDueMs(waits, job.attempt - earlierAttempts, made.startedMs + made.responseTime);
    // The schedule of a round must not keep the one of the next from being made.
    const round = earlierAttempts > 0 ? `-${earlierAttempts}` : '';
    const name = `retry-${next.delivery}-${next.attempt}${round}`;
    return lateWebhookDeliveriesQueue.sendAt(next, { name, dueMs, nowMs: clock() });
  };

  /** A result that cannot be stored now is carried by the job, so that the target is not called again; without the answer's text, which may contain personal data. */
  const recordLater = (job: DeliveryJob, { startedMs, statusCode, responseTime }: Attempt): Promise<void> => {
    const name = `record-${job.delivery}-${job.attempt}`;
    const again = { ...job, outcome: { startedMs, statusCode, responseTime } };
    return lateWebhookDeliveriesQueue.sendAt(again, { name, dueMs: clock() + recordAgainMs, nowMs: clock() });
  };

  /** A success that this cannot record now is counted with its lease. */
  const endFailing = (lease: Lease): Promise<void> =>
    paces.endFailing(lease, clock()).catch((thrown) => {
      if (!(thrown instanceof Unavailable)) throw thrown;
    });

  const record = async (
    job: DeliveryJob,
    loaded: Loaded,
    made: Attempt,
    { lease, doubt }: Surroundings,
  ): Promise<Tally> => {
    const recorded = await attempts.record(loaded, made, attemptsWith(waits), lease.id).catch((thrown) => {
      if (thrown instanceof Unavailable) return { kind: 'unavailable' } as const;
      throw thrown;
    });
    switch (recorded.kind) {
      case 'recorded':
        if (recorded.state === 'pending') await queueNext(job, loaded.delivery, made);
        if (recorded.state === 'succeeded') await endFailing(lease);
        return recorded.tally;
      case 'made-by-another-run':
        throw new ComesBack(uncounted);
      case 'over':
        return emptyTally;
      case 'unavailable':
        doubt(job);
        await recordLater(job, made);
        return emptyTally;
    }
  };

  const attempt = async (job: DeliveryJob, loaded: Loaded, surroundings: Surroundings): Promise<Done> => {
    const { all, watched } = surroundings;
    const payload = await all.payload(loaded);
    if (payload === undefined) return nothing;
    const made = await watched(() => makeAttempt(webhookTarget, loaded, payload, clock));
    return { tookMs: made.responseTime, tally: await record(job, loaded, made, surroundings) };
  };

  /** A delivery that ended under a lease whose run died is counted by the first job that comes back; while the run may live, the job waits for it. */
  const countLost = async (loaded: Loaded, lease: Lease): Promise<void> => {
    if (loaded.countedBy === undefined) return;
    const end = await paces.endOf(lease, loaded.countedBy, clock());
    if (end === 'under way') throw new ComesBack(uncounted);
    if (end === 'evicted') await attempts.countAlone(loaded);
  };

  /** Takes a delivery one step on: records the outcome in the job, cancels, attempts, or queues the job that follows a written attempt. */
  const advance = async (job: DeliveryJob, loaded: Loaded, surroundings: Surroundings): Promise<Done> => {
    const { delivery } = loaded;
    const made = delivery.attempts.find(({ number }) => number === job.attempt);
    const isNext = delivery.attemptsMade === job.attempt - 1;
    if (job.outcome && isNext)
      return { ...nothing, tally: await record(job, loaded, { ...job.outcome, responseBody: '' }, surroundings) };
    if (delivery.state === 'cancelled') await attempts.cancel(loaded);
    else if (delivery.state !== 'pending') return nothing;
    else if (isNext) return attempt(job, loaded, surroundings);
    else if (made && delivery.attemptsMade === job.attempt) await queueNext(job, delivery, made);
    return nothing;
  };

  return async (job: DeliveryJob, surroundings: Surroundings): Promise<Done> => {
    const loaded = surroundings.all.delivery(job);
    if (!loaded) return nothing;
    await countLost(loaded, surroundings.lease);
    return isOutOfDate(job, loaded.delivery) ? nothing : advance(job, loaded, surroundings);
  };
};

/** A job of a round that was under way when its delivery was sent again: the new round has jobs of its own. A job that begins a delivery is of its first round. */
const isOutOfDate = (
  { begins, earlierAttempts = begins && 0 }: DeliveryJob,
  delivery: Pick<Delivery, 'earlierAttempts'>,
): boolean => earlierAttempts !== undefined && earlierAttempts !== delivery.earlierAttempts;
