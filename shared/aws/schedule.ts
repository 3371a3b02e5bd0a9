import { delayUntil, iso, longestDelaySeconds } from '../kit/time.ts';
import { retried } from './aws-retry.ts';
import { AwsError, type AwsService } from './aws-service.ts';
import type { Queue } from './queue.ts';

interface Delivered {
  readonly dueMs: number;
  readonly nowMs: number;
  /** A second job with the same name is ignored while the first waits. */
  readonly name: string;
}

/** A queue with any delay of jobs. */
export interface LateQueue<Job> {
  sendAt(job: Job, when: Delivered): Promise<void>;
}

interface Needs<Job> {
  readonly queue: Queue<Job>;
  readonly queueArn: string;
  readonly scheduler: AwsService;
  /** The role that the scheduler uses. */
  readonly roleArn: string;
  /** The group of its schedules. */
  readonly groupName: string;
}

/**
 * Up to 15 minutes, the queue's own timer delays a job, to the second. Beyond that, it waits in a one-time schedule, which fires within a
 * minute of its time and is then deleted.
 */
export const openLateQueue = <Job>({ queue, queueArn, scheduler, roleArn, groupName }: Needs<Job>): LateQueue<Job> => ({
  sendAt: async (job, { dueMs, nowMs, name }) => {
    const { delaySeconds } = delayUntil(dueMs, nowMs);
    if (delaySeconds <= longestDelaySeconds) return queue.send([job], { delaySeconds });
    const second = iso(Math.ceil(dueMs / 1_000) * 1_000).slice(0, -'.000Z'.length);
    try {
      const input = {
        GroupName: groupName,
        ScheduleExpression: `at(${second})`,
        FlexibleTimeWindow: { Mode: 'OFF' },
        ActionAfterCompletion: 'DELETE',
        Target: { Arn: queueArn, RoleArn: roleArn, Input: JSON.stringify(job) },
      };
      await retried(() => scheduler.send({ path: `/schedules/${name}`, input }));
    } catch (thrown) {
      if (!(thrown instanceof AwsError && thrown.name === 'ConflictException')) throw thrown;
    }
  },
});
