import type { Context, SQSBatchResponse, SQSEvent, SQSRecord } from 'aws-lambda';
import type * as z from 'zod';
import { ComesBack } from '../kit/comes-back.ts';
import { byGroup, type GroupOf } from '../kit/job-group.ts';
import { causeOf, log, logAbout } from '../kit/log.ts';
import type { Clock } from '../kit/time.ts';

/**
 * Runs one job of a group. When it throws, only this job fails, and the result is undefined. A job that could exceed the
 * function's timeout does not begin, and returns to the queue like a failed one.
 */
export type Guard<Job> = <Result>(job: Job, work: () => Promise<Result>) => Promise<Result | undefined>;

/** A job as log lines name it: by its id in the queue, and the ids of what it is about. */
type LoggedJob = { readonly jobId: string } & Readonly<Record<string, string>>;

/** The maximum duration of a job with one provider call: ten seconds for the call, plus reads and writes. */
const oneCallMs = 12_000;

/** How long a job waited until it was taken for the first time, so a job whose tries fail does not count as one that waits. */
const waitedMs = ({ attributes }: SQSRecord): number =>
  Number(attributes.ApproximateFirstReceiveTimestamp) - Number(attributes.SentTimestamp);

interface WorkerOptions<Job> {
  /** The maximum duration of one job. */
  readonly jobMs?: number;
  /** Whether nothing is to be done for a job that waited for so long. */
  readonly isStale?: (job: Job, waitedMs: number) => boolean;
}

/**
 * A Lambda handler for a queue: the jobs of one group together, groups in parallel. It reports failed jobs, so that only they return
 * after their visibility timeout and finally go to the dead-letter queue. When `work` throws, all jobs of its group fail.
 */
export const groupWorker =
  <Job extends object>(
    job: z.ZodType<Job>,
    groupOf: GroupOf<Job>,
    work: (jobs: readonly Job[], guard: Guard<Job>) => Promise<void>,
    { jobMs = oneCallMs, isStale }: WorkerOptions<Job> = {},
  ) =>
  async (event: SQSEvent, context: Pick<Context, 'getRemainingTimeInMillis'>): Promise<SQSBatchResponse> => {
    const failed = new Set<string>();
    const attempt = async <Result>(
      named: readonly LoggedJob[],
      run: () => Promise<Result>,
    ): Promise<Result | undefined> => {
      try {
        return await run();
      } catch (thrown) {
        const level = thrown instanceof ComesBack ? 'warn' : 'error';
        for (const each of named) {
          log(level, 'job failed', { ...each, ...causeOf(thrown) });
          failed.add(each.jobId);
        }
        return undefined;
      }
    };

    const ids = new Map<Job, string>();
    for (const record of event.Records)
      await attempt([{ jobId: record.messageId }], async () => {
        const each = job.parse(JSON.parse(record.body));
        if (!isStale?.(each, waitedMs(record))) ids.set(each, record.messageId);
      });
    const named = (each: Job): LoggedJob => ({ jobId: ids.get(each) ?? '', ...subjectOf(each) });
    const guard: Guard<Job> = async (each, run) => {
      if (context.getRemainingTimeInMillis() >= jobMs)
        return logAbout(subjectOf(each), () => attempt([named(each)], run));
      log('info', 'job comes back, not begun', named(each));
      failed.add(named(each).jobId);
      return undefined;
    };
    const groups = [...byGroup(ids.keys(), groupOf).values()];
    await Promise.all(groups.map((jobs) => attempt(jobs.map(named), () => work(jobs, guard))));
    const back = event.Records.filter(({ messageId }) => failed.has(messageId));
    return { batchItemFailures: back.map(({ messageId }) => ({ itemIdentifier: messageId })) };
  };

const subjects = ['account', 'message', 'webhook', 'delivery', 'session', 'payment', 'refund'] as const;

/** What a job is about, for the log: jobs carry ids under these names. */
const subjectOf = (job: object): Readonly<Record<string, string>> =>
  Object.fromEntries(
    subjects.flatMap((name) => {
      const id: unknown = Reflect.get(job, name);
      return typeof id === 'string' ? [[`${name}Id`, id]] : [];
    }),
  );

/** A Lambda handler for a queue of independent jobs, which it processes one after the other. */
export const queueWorker = <Job extends object>(
  job: z.ZodType<Job>,
  work: (job: Job, nowMs: number) => Promise<void>,
  clock: Clock = Date.now,
) =>
  groupWorker(
    job,
    () => ({}),
    async (jobs, guard) => {
      for (const each of jobs) await guard(each, () => work(each, clock()));
    },
  );
