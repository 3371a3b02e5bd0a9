import type { SQSBatchResponse, SQSEvent } from 'aws-lambda';
import type * as z from 'zod';
import { causeOf, log } from '../kit/log.ts';
import type { Clock } from '../kit/time.ts';

/**
 * A Lambda handler for a queue: one job after the other, each on its own. A job that fails is reported, so that only it comes back
 * after its visibility timeout and, in the end, is parked in the dead-letter queue.
 */
export const queueWorker =
  <Job>(job: z.ZodType<Job>, work: (job: Job, nowMs: number) => Promise<void>, clock: Clock = Date.now) =>
  async (event: SQSEvent): Promise<SQSBatchResponse> => {
    const failed: string[] = [];
    for (const { messageId, body } of event.Records) {
      try {
        await work(job.parse(JSON.parse(body)), clock());
      } catch (thrown) {
        log('error', 'job failed', { jobId: messageId, ...causeOf(thrown) });
        failed.push(messageId);
      }
    }
    return { batchItemFailures: failed.map((itemIdentifier) => ({ itemIdentifier })) };
  };
