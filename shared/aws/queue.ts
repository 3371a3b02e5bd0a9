import { randomUUID } from 'node:crypto';
import { SendMessageBatchCommand, type SQSClient } from '@aws-sdk/client-sqs';
import { InternalError } from '../kit/internal-error.ts';
import { retried } from './aws-retry.ts';

const mostPerCall = 10;

/** SQS's maximum delay of a message. */
export const longestDelaySeconds = 900;

/** A queue of jobs. When `send` returns, every job is queued; when it throws, some may be, so jobs must be idempotent. */
export const openQueue = <Job>(sqs: SQSClient, url: string) => ({
  send: async (jobs: readonly Job[], { delaySeconds = 0 }: { readonly delaySeconds?: number } = {}): Promise<void> => {
    for (let start = 0; start < jobs.length; start += mostPerCall) {
      const command = new SendMessageBatchCommand({
        QueueUrl: url,
        Entries: jobs
          .slice(start, start + mostPerCall)
          .map((job) => ({ Id: randomUUID(), MessageBody: JSON.stringify(job), DelaySeconds: delaySeconds })),
      });
      const { Failed = [] } = await retried(() => sqs.send(command));
      const [first] = Failed;
      if (first) throw new InternalError('the queue refused jobs', { jobs: Failed.length, code: first.Code });
    }
  },
});

export interface Queue<Job> {
  send(jobs: readonly Job[], options?: { readonly delaySeconds?: number }): Promise<void>;
}
