import { DynamoDBClient, ListTablesCommand } from '@aws-sdk/client-dynamodb';
import { KMSClient, ListKeysCommand } from '@aws-sdk/client-kms';
import { ListBucketsCommand, S3Client } from '@aws-sdk/client-s3';
import { ListQueuesCommand, SQSClient } from '@aws-sdk/client-sqs';
import type { Emulator } from './emulator.ts';

/** What still stores data, as a list of numbers: what CDK itself made does not count. */
export const keptIn = async ({ client }: Emulator): Promise<string> => {
  const [{ TableNames = [] }, { QueueUrls = [] }, { Buckets = [] }, { Keys = [] }] = await Promise.all([
    new DynamoDBClient(client).send(new ListTablesCommand()),
    new SQSClient(client).send(new ListQueuesCommand()),
    new S3Client({ ...client, forcePathStyle: true }).send(new ListBucketsCommand()),
    new KMSClient(client).send(new ListKeysCommand()),
  ]);
  const buckets = Buckets.filter(({ Name }) => !Name?.startsWith('cdk-'));
  return `${TableNames.length} tables, ${Keys.length} keys, ${QueueUrls.length} queues, ${buckets.length} buckets`;
};
