import type { Context, SQSBatchResponse, SQSEvent } from 'aws-lambda';
import type * as z from 'zod';
import { causeOf, log } from '../kit/log.ts';
import type { Clock } from '../kit/time.ts';

/**
 * Does something about one job of a line. When that throws, only this job has failed, and undefined is returned. A job that could run past the
 * function's timeout is not begun and comes back, like one that failed.
 */
export type Guard<Job> = <Result>(job: Job, work: () => Promise<Result>) => Promise<Result | undefined>;

/** How long a job may run that makes one call to a provider: the call's ten seconds, and what is read and written around it. */
const oneCallMs = 12_000;

/**
 * A Lambda handler for a queue: the jobs of one line together, lines side by side. Jobs that fail are reported, so that only they come back
 * after their visibility timeout and, in the end, are parked in the dead-letter queue. When `work` throws, all jobs of its line have failed. `jobMs`: the longest that one job runs.
 */
export const lineWorker =
  <Job extends object>(
    job: z.ZodType<Job>,
    lineOf: (job: Job) => string,
    work: (line: readonly Job[], guard: Guard<Job>) => Promise<void>,
    { jobMs = oneCallMs }: { readonly jobMs?: number } = {},
  ) =>
  async (event: SQSEvent, context: Pick<Context, 'getRemainingTimeInMillis'>): Promise<SQSBatchResponse> => {
    const failed = new Set<string>();
    const attempt = async <Result>(ids: readonly string[], run: () => Promise<Result>): Promise<Result | undefined> => {
      try {
        return await run();
      } catch (thrown) {
        for (const jobId of ids) {
          log('error', 'job failed', { jobId, ...causeOf(thrown) });
          failed.add(jobId);
        }
        return undefined;
      }
    };

    const ids = new Map<Job, string>();
    for (const { messageId, body } of event.Records)
      await attempt([messageId], async () => ids.set(job.parse(JSON.parse(body)), messageId));
    const idsOf = (jobs: readonly Job[]) => jobs.map((each) => ids.get(each) ?? '');
    const guard: Guard<Job> = async (each, run) => {
      if (context.getRemainingTimeInMillis() >= jobMs) return attempt(idsOf([each]), run);
      log('info', 'job comes back, not begun', { jobId: ids.get(each) });
      failed.add(ids.get(each) ?? '');
      return undefined;
    };
    const lines = [...Map.groupBy(ids.keys(), lineOf).values()];
    await Promise.all(lines.map((line) => attempt(idsOf(line), () => work(line, guard))));
    const back = event.Records.filter(({ messageId }) => failed.has(messageId));
    return { batchItemFailures: back.map(({ messageId }) => ({ itemIdentifier: messageId })) };
  };

/** The same for jobs that stand alone: one after the other. */
export const queueWorker = <Job extends object>(
  job: z.ZodType<Job>,
  work: (job: Job, nowMs: number) => Promise<void>,
  clock: Clock = Date.now,
) =>
  lineWorker(
    job,
    () => '',
    async (jobs, guard) => {
      for (const each of jobs) await guard(each, () => work(each, clock()));
    },
  );
