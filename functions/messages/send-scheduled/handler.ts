import type { ScheduledJob } from '../../../shared/messages/jobs.ts';
import type { Guard } from '../../../shared/work/queue-worker.ts';
import { type SendDueNeeds, sendDue } from './send-due.ts';
import { type SweepDueNeeds, sweepDue } from './sweep-due.ts';

export type SendScheduledNeeds = SendDueNeeds & SweepDueNeeds;

/** The jobs of a batch are one group. */
export const groupOf = () => ({});

/** By then, the next one is in the queue. */
const sweepWaitsMs = 60_000;

/** Each minute of a pause of all sending leaves a sweep in the queue. Only the last is made: side by side, they would queue each message several times. */
export const isStale = ({ kind }: ScheduledJob, waitedMs: number): boolean =>
  kind === 'sweep' && waitedMs >= sweepWaitsMs;

/** Sends scheduled messages at their time. The jobs of a batch run in parallel. */
export const sendScheduled = (needs: SendScheduledNeeds) => {
  const [send, sweep] = [sendDue(needs), sweepDue(needs)];
  return async (jobs: readonly ScheduledJob[], guard: Guard<ScheduledJob>): Promise<void> => {
    const work = (job: ScheduledJob) => (job.kind === 'sweep' ? sweep(job) : send(job));
    await Promise.all(jobs.map((job) => guard(job, () => work(job))));
  };
};
