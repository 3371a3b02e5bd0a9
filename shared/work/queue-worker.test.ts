import type { SQSEvent } from 'aws-lambda';
import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { contextWith } from '../../test/lambda-context.ts';
import { linesOf } from '../../test/log-lines.ts';
import { ComesBack } from '../kit/comes-back.ts';
import { groupOfAll } from '../kit/job-group.ts';
import { type Guard, groupWorker, queueWorker } from './queue-worker.ts';

const job = z.object({ group: z.string(), n: z.number() });
type Job = z.output<typeof job>;

const eventOf = (...bodies: readonly unknown[]) =>
  ({
    Records: bodies.map((body, n) => ({
      messageId: `m${n}`,
      body: typeof body === 'string' ? body : JSON.stringify(body),
    })),
  }) as SQSEvent;

const failuresOf = async (answer: Promise<{ batchItemFailures: { itemIdentifier: string }[] }>) =>
  (await answer).batchItemFailures.map(({ itemIdentifier }) => itemIdentifier);

it('a queue worker does the jobs of a batch sequentially, and reports those that fail or are unreadable', async () => {
  const done: number[] = [];
  let running = 0;
  const worker = queueWorker(job, async ({ n }) => {
    running += 1;
    expect(running).toBe(1);
    await Promise.resolve();
    running -= 1;
    if (n === 2) throw new Error('no');
    done.push(n);
  });
  const event = eventOf({ group: 'a', n: 1 }, { group: 'b', n: 2 }, 'not JSON', { n: 'x' }, { group: 'a', n: 3 });
  expect(await failuresOf(worker(event, contextWith()))).toEqual(['m1', 'm2', 'm3']);
  expect(done).toEqual([1, 3]);
});

describe('groups of jobs', () => {
  const jobs = ['slow', 'quick'].flatMap((group) => [1, 2, 3].map((n) => ({ group, n })));

  it('are processed in parallel', async () => {
    const hang = Promise.withResolvers<void>();
    const done: Job[][] = [];
    const work = async (jobs: readonly Job[]) => {
      if (jobs[0]?.group === 'slow') await hang.promise;
      done.push([...jobs]);
      hang.resolve();
    };
    expect(
      await failuresOf(groupWorker(job, ({ group }) => ({ group }), work)(eventOf(...jobs), contextWith())),
    ).toEqual([]);
    expect(done).toEqual([jobs.slice(3), jobs.slice(0, 3)]);
  });

  it('report their failed jobs, or all of them', async () => {
    const results: unknown[] = [];
    const work = async (jobs: readonly Job[], guard: Guard<Job>) => {
      for (const each of jobs) results.push(await guard(each, async () => (each.n === 2 ? fail() : each.n)));
      if (jobs[0]?.group === 'slow') fail();
    };
    const fail = () => {
      throw new Error('no');
    };
    const failed = await failuresOf(
      groupWorker(job, ({ group }) => ({ group }), work)(eventOf(...jobs), contextWith()),
    );
    expect(failed).toEqual(['m0', 'm1', 'm2', 'm4']);
    expect(results.filter((result) => result === undefined)).toHaveLength(2);
  });
});

it('a handler gets no group whose jobs differ in what it takes from their group', async () => {
  const taken: string[] = [];
  const work = async (jobs: readonly Job[]) => void taken.push(groupOfAll(jobs, ({ group }) => ({ group })).group);
  const jobs = ['a', 'b'].map((group) => ({ group, n: 1 }));
  const give = (groupOf: (job: Job) => Record<string, string>) =>
    failuresOf(groupWorker(job, groupOf, work)(eventOf(...jobs), contextWith()));
  expect(await give(() => ({}))).toEqual(['m0', 'm1']);
  expect(taken).toEqual([]);
  expect(await give(({ group }) => ({ group }))).toEqual([]);
  expect(taken).toEqual(['a', 'b']);
});

it('the log names what each failed job is about, also when all jobs of its group fail together', async () => {
  const delivery = z.object({ account: z.string(), webhook: z.string(), delivery: z.string(), attempt: z.number() });
  const worker = groupWorker(
    delivery,
    ({ webhook }) => ({ webhook }),
    async () => {
      throw new Error('no');
    },
  );
  const jobs = ['d1', 'd2'].map((each) => ({ account: 'a', webhook: 'w', delivery: each, attempt: 1 }));
  const lines = await linesOf(() => worker(eventOf(...jobs), contextWith()));
  const about = { message: 'job failed', accountId: 'a', webhookId: 'w' };
  expect(lines).toMatchObject([
    { ...about, jobId: 'm0', deliveryId: 'd1' },
    { ...about, jobId: 'm1', deliveryId: 'd2' },
  ]);
});

it('a job that comes back by design is a warning, and one that fails is an error', async () => {
  const worker = queueWorker(job, async ({ n }) => {
    throw n === 1 ? new ComesBack('another run has to end first') : new Error('no');
  });
  let failed: string[] = [];
  const lines = await linesOf(async () => {
    failed = await failuresOf(worker(eventOf({ group: 'a', n: 1 }, { group: 'a', n: 2 }), contextWith()));
  });
  expect(failed).toEqual(['m0', 'm1']);
  expect(lines).toMatchObject([
    { level: 'warn', message: 'job failed', jobId: 'm0', reason: 'another run has to end first' },
    { level: 'error', message: 'job failed', jobId: 'm1' },
  ]);
});

describe('near the function’s timeout', () => {
  /** Runs a batch of ten calls of this duration. Returns the number of calls made and returned, and the remaining time. */
  const batch = async (callMs: number, jobMs?: number) => {
    let remainingMs = 25_000;
    const done: number[] = [];
    const work = async (jobs: readonly Job[], guard: Guard<Job>) => {
      for (const each of jobs)
        await guard(each, async () => {
          remainingMs -= callMs;
          done.push(each.n);
        });
    };
    const worker = groupWorker(job, () => ({}), work, { ...(jobMs !== undefined && { jobMs }) });
    const event = eventOf(...Array.from({ length: 10 }, (_, n) => ({ group: '', n })));
    const back = await failuresOf(
      worker(
        event,
        contextWith(() => remainingMs),
      ),
    );
    return { done, back, remainingMs };
  };

  it('jobs that have not begun return to the queue, and none runs beyond the timeout', async () => {
    const { done, back, remainingMs } = await batch(10_000);
    expect([done, back, remainingMs]).toEqual([[0, 1], ['m2', 'm3', 'm4', 'm5', 'm6', 'm7', 'm8', 'm9'], 5_000]);
  });

  it('the first job of a batch always begins', async () => {
    expect(await batch(20_000, 21_000)).toMatchObject({ done: [0], remainingMs: 5_000 });
  });

  it('quick jobs are all done', async () => {
    expect((await batch(300, 21_000)).back).toEqual([]);
  });
});

it('every job gets the time at which it begins', async () => {
  let nowMs = 0;
  const times: number[] = [];
  const clock = () => {
    nowMs += 1;
    return nowMs;
  };
  await queueWorker(
    job,
    async (_, atMs) => void times.push(atMs),
    clock,
  )(eventOf({ group: '', n: 1 }, { group: '', n: 2 }), contextWith());
  expect(times).toEqual([1, 2]);
});
