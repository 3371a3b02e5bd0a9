import type { Queue } from '../../../shared/aws/queue.ts';
import { timeOfId } from '../../../shared/kit/id.ts';
import { type Clock, delayUntil } from '../../../shared/kit/time.ts';
import type { ScheduledJob, ScheduledJobOf } from '../../../shared/messages/jobs.ts';
import type { DueMessage } from '../../../shared/table/messages/due-items.ts';
import type { ScheduledStore } from '../../../shared/table/messages/scheduled-store.ts';

export interface SweepDueNeeds {
  readonly scheduled: Pick<ScheduledStore, 'shards' | 'page' | 'postpone'>;
  readonly scheduledQueue: Queue<ScheduledJob>;
  readonly clock: Clock;
}

/** A sweep runs each minute, so one of them may be missed. */
const lookAheadMs = 120_000;
/** A message that is still there so long after its time may have lost its job. */
const againMs = 15 * 60_000;

/** Queues a job for each message that is due soon, delayed until its time. It reads only what is due; what a sweep missed, the next one finds. */
export const sweepDue = ({ scheduled, scheduledQueue, clock }: SweepDueNeeds) => {
  const jobOf = ({ account, message, channel }: DueMessage): ScheduledJob => ({
    kind: 'send',
    account,
    message,
    channel,
  });

  /** Before its next time is set, its job is queued: a sweep that stops in between repeats it, and loses none. */
  const sweep = async (shard: number): Promise<void> => {
    const nowMs = clock();
    const { rows, isMore } = await scheduled.page(shard, nowMs + lookAheadMs);
    const byDelay = Map.groupBy(rows, ({ dueId }) => delayUntil(timeOfId(dueId), nowMs).delaySeconds);
    await Promise.all(
      [...byDelay].map(([delaySeconds, some]) => scheduledQueue.send(some.map(jobOf), { delaySeconds })),
    );
    await Promise.all(rows.map((row) => scheduled.postpone(row, Math.max(timeOfId(row.dueId), nowMs) + againMs)));
    if (isMore) await scheduledQueue.send([{ kind: 'sweep', shard }]);
  };

  return async ({ shard }: ScheduledJobOf<'sweep'>): Promise<void> => {
    await Promise.all((shard === undefined ? scheduled.shards : [shard]).map(sweep));
  };
};
