import type { Context, SQSBatchResponse, SQSEvent } from 'aws-lambda';
import { causeOf, log } from '../kit/log.ts';

type QueueHandler<Running> = (event: SQSEvent, context: Running) => Promise<SQSBatchResponse>;

interface Redelivery {
  after(queueArn: string, jobs: readonly { readonly receiptHandle: string; readonly seconds: number }[]): Promise<void>;
}

const firstSeconds = 5;
const longestSeconds = 900;

/** 5 s, 15 s, 45 s, 135 s, … and 15 minutes at most. */
const secondsAfter = (receiveCount: number): number => Math.min(longestSeconds, firstSeconds * 3 ** (receiveCount - 1));

/**
 * Returns failed jobs to the queue with an increasing delay. Otherwise they return when the queue's visibility timeout ends, which is
 * several times the function's timeout; jobs of a function that was cut off still do.
 */
export const backingOff =
  <Running extends Partial<Context>>(redelivery: Redelivery, work: QueueHandler<Running>): QueueHandler<Running> =>
  async (event, context) => {
    const answer = await work(event, context);
    const failed = new Set(answer.batchItemFailures.map(({ itemIdentifier }) => itemIdentifier));
    const records = event.Records.filter(({ messageId }) => failed.has(messageId));
    const [first] = records;
    if (!first) return answer;
    const jobs = records.map(({ receiptHandle, attributes }) => ({
      receiptHandle,
      seconds: secondsAfter(Number(attributes.ApproximateReceiveCount)),
    }));
    // The jobs still count as failed, and return at the visibility timeout.
    await redelivery.after(first.eventSourceARN, jobs).catch((thrown) => {
      log('warn', 'failed jobs come back late', { ...causeOf(thrown) });
    });
    return answer;
  };
