import { retried } from './aws-retry.ts';
import type { AwsService } from './aws-service.ts';

interface Late {
  readonly receiptHandle: string;
  readonly seconds: number;
}

/** Sets when received jobs return. `origin`: the URL of SQS. */
export const openRedelivery = (sqs: AwsService, origin: string) => ({
  /** At most ten jobs. */
  after: async (queueArn: string, jobs: readonly Late[]): Promise<void> => {
    const [account, name] = queueArn.split(':').slice(-2);
    const input = {
      QueueUrl: `${origin}/${account}/${name}`,
      Entries: jobs.map(({ receiptHandle, seconds }, n) => ({
        Id: `${n}`,
        ReceiptHandle: receiptHandle,
        VisibilityTimeout: seconds,
      })),
    };
    await retried(() => sqs.send({ target: 'AmazonSQS.ChangeMessageVisibilityBatch', input }));
  },
});
