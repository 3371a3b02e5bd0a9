import type { SQSEvent } from 'aws-lambda';
import { expect, it } from 'vitest';
import { backingOff } from './back-off.ts';

const record = (messageId: string, receiveCount: number) => ({
  messageId,
  receiptHandle: `receipt ${messageId}`,
  attributes: { ApproximateReceiveCount: `${receiveCount}` },
  eventSourceARN: 'arn:aws:sqs:us-east-1:000000000000:jobs',
});
const eventOf = (...records: readonly ReturnType<typeof record>[]) => ({ Records: records }) as unknown as SQSEvent;

/** A worker that fails at these jobs. Returns the visibility timeouts that it sets. */
const worker = (failed: readonly string[], after = async (_: string, __: readonly unknown[]) => undefined) =>
  backingOff({ after: async (arn, jobs) => after(arn, jobs) }, async () => ({
    batchItemFailures: failed.map((itemIdentifier) => ({ itemIdentifier })),
  }));

it('failed jobs return with an increasing delay of at most 15 minutes', async () => {
  const asked: unknown[] = [];
  const counts = [1, 2, 3, 4, 5, 6, 20];
  const records = counts.map((count) => record(`m${count}`, count));
  const failed = records.map(({ messageId }) => messageId);
  const work = worker(failed, async (arn, jobs) => void asked.push(arn, ...jobs));
  const answer = await work(eventOf(record('done', 3), ...records), {});
  expect(answer.batchItemFailures).toHaveLength(counts.length);
  expect(asked).toEqual([
    'arn:aws:sqs:us-east-1:000000000000:jobs',
    ...[5, 15, 45, 135, 405, 900, 900].map((seconds, n) => ({ receiptHandle: records[n]?.receiptHandle, seconds })),
  ]);
});

it('a batch that succeeds makes no call', async () => {
  const work = worker([], () => Promise.reject(new Error('asked')));
  expect(await work(eventOf(record('done', 1)), {})).toEqual({ batchItemFailures: [] });
});

it('jobs whose delay cannot be set are still reported as failed', async () => {
  const work = worker(['m'], () => Promise.reject(new Error('no')));
  expect(await work(eventOf(record('m', 1)), {})).toEqual({ batchItemFailures: [{ itemIdentifier: 'm' }] });
});
