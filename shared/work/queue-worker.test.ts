import type { SQSEvent } from 'aws-lambda';
import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { type Guard, lineWorker, queueWorker } from './queue-worker.ts';

const job = z.object({ line: z.string(), n: z.number() });
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

it('does the jobs of a batch one after the other, and reports those that fail or are none', async () => {
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
  const event = eventOf({ line: 'a', n: 1 }, { line: 'b', n: 2 }, 'not JSON', { n: 'x' }, { line: 'a', n: 3 });
  expect(await failuresOf(worker(event))).toEqual(['m1', 'm2', 'm3']);
  expect(done).toEqual([1, 3]);
});

describe('lines', () => {
  const jobs = ['slow', 'quick'].flatMap((line) => [1, 2, 3].map((n) => ({ line, n })));

  it('are done side by side', async () => {
    const hang = Promise.withResolvers<void>();
    const done: Job[][] = [];
    const work = async (line: readonly Job[]) => {
      if (line[0]?.line === 'slow') await hang.promise;
      done.push([...line]);
      hang.resolve();
    };
    expect(await failuresOf(lineWorker(job, ({ line }) => line, work)(eventOf(...jobs)))).toEqual([]);
    expect(done).toEqual([jobs.slice(3), jobs.slice(0, 3)]);
  });

  it('report the jobs that they failed at, or all of them', async () => {
    const results: unknown[] = [];
    const work = async (line: readonly Job[], guard: Guard<Job>) => {
      for (const each of line) results.push(await guard(each, async () => (each.n === 2 ? fail() : each.n)));
      if (line[0]?.line === 'slow') fail();
    };
    const fail = () => {
      throw new Error('no');
    };
    const failed = await failuresOf(lineWorker(job, ({ line }) => line, work)(eventOf(...jobs)));
    expect(failed).toEqual(['m0', 'm1', 'm2', 'm4']);
    expect(results.filter((result) => result === undefined)).toHaveLength(2);
  });
});

it('gives every job the time at which it begins', async () => {
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
  )(eventOf({ line: '', n: 1 }, { line: '', n: 2 }));
  expect(times).toEqual([1, 2]);
});
