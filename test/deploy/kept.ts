import { DynamoDBClient, ListTablesCommand } from '@aws-sdk/client-dynamodb';
import { KMSClient, ListKeysCommand } from '@aws-sdk/client-kms';
import { ListBucketsCommand, S3Client } from '@aws-sdk/client-s3';
import { ListQueuesCommand, SQSClient } from '@aws-sdk/client-sqs';
import type { Emulator } from './emulator.ts';

/** What still stores data, as a list of numbers: what CDK itself made does not count. */
export const keptIn = async ({ url: endpoint }: Emulator): Promise<string> => {
  const settings = { endpoint, region: 'us-east-1', credentials: { accessKeyId: 'test', secretAccessKey: 'test' } };
  const [{ TableNames = [] }, { QueueUrls = [] }, { Buckets = [] }, { Keys = [] }] = await Promise.all([
    new DynamoDBClient(settings).send(new ListTablesCommand()),
    new SQSClient(settings).send(new ListQueuesCommand()),
    new S3Client({ ...settings, forcePathStyle: true }).send(new ListBucketsCommand()),
    new KMSClient(settings).send(new ListKeysCommand()),
  ]);
  const buckets = Buckets.filter(({ Name }) => !Name?.startsWith('cdk-'));
  return `${TableNames.length} table, ${Keys.length} key, ${QueueUrls.length} queues, ${buckets.length} buckets`;
};
