import { ChangeMessageVisibilityBatchCommand, type SQSClient } from '@aws-sdk/client-sqs';
import { retried } from './aws-retry.ts';

interface Late {
  readonly receiptHandle: string;
  readonly seconds: number;
}

/** Sets when received jobs return. `origin`: the URL of SQS. */
export const openRedelivery = (sqs: SQSClient, origin: string) => ({
  /** At most ten jobs. */
  after: async (queueArn: string, jobs: readonly Late[]): Promise<void> => {
    const [account, name] = queueArn.split(':').slice(-2);
    const command = new ChangeMessageVisibilityBatchCommand({
      QueueUrl: `${origin}/${account}/${name}`,
      Entries: jobs.map(({ receiptHandle, seconds }, n) => ({
        Id: `${n}`,
        ReceiptHandle: receiptHandle,
        VisibilityTimeout: seconds,
      })),
    });
    await retried(() => sqs.send(command));
  },
});
