import type { DynamoDBBatchResponse, DynamoDBRecord, DynamoDBStreamEvent } from 'aws-lambda';
import { type AttributeValue, valuesOf } from '../aws/attribute-values.ts';
import { InternalError } from '../kit/internal-error.ts';
import { causeOf, log } from '../kit/log.ts';
import type { Clock } from '../kit/time.ts';

type Image = Readonly<Record<string, unknown>>;

/** One write, as a record of the table's stream. */
export interface Change {
  readonly before: Image | undefined;
  readonly after: Image | undefined;
  /** Sorts an item's changes by time, as text. */
  readonly sequence: string;
  /** When it was written, to the second. */
  readonly atMs: number;
}

/** The maximum number of digits of a sequence number. */
const sequenceLength = 40;

/**
 * A Lambda handler for the table's stream: the changes of a batch together, in order. When it fails, Lambda retries the batch
 * and bisects it until the poison change is isolated, so `read` must be idempotent.
 */
export const streamReader =
  (read: (changes: readonly Change[], nowMs: number) => Promise<void>, clock: Clock = Date.now) =>
  async (event: DynamoDBStreamEvent): Promise<DynamoDBBatchResponse> => {
    try {
      await read(event.Records.map(changeOf), clock());
      return { batchItemFailures: [] };
    } catch (thrown) {
      log('error', 'stream batch failed', { records: event.Records.length, ...causeOf(thrown) });
      // Lambda's runtime would log the thrown error with its message.
      throw new InternalError('a batch of the stream failed');
    }
  };

/**
 * A Lambda handler for the table's stream whose changes do not depend on each other. `read` does what it can, and returns the changes that it
 * failed on. Lambda repeats a batch from its first failed change on, so `read` must be idempotent.
 */
export const changeReader =
  (read: (changes: readonly Change[]) => Promise<ReadonlySet<Change>>) =>
  async ({ Records }: DynamoDBStreamEvent): Promise<DynamoDBBatchResponse> => {
    const changes = new Map<DynamoDBRecord, Change>();
    for (const record of Records) {
      try {
        changes.set(record, changeOf(record));
      } catch (thrown) {
        log('error', 'a change of the stream could not be read', { eventId: record.eventID, ...causeOf(thrown) });
      }
    }
    const failed = await read([...changes.values()]);
    const isDone = (record: DynamoDBRecord): boolean => {
      const change = changes.get(record);
      return change !== undefined && !failed.has(change);
    };
    const left = Records.filter((record) => !isDone(record));
    return { batchItemFailures: left.map(({ dynamodb }) => ({ itemIdentifier: dynamodb?.SequenceNumber ?? '' })) };
  };

const changeOf = ({ dynamodb }: DynamoDBRecord): Change => ({
  before: imageOf(dynamodb?.OldImage),
  after: imageOf(dynamodb?.NewImage),
  sequence: (dynamodb?.SequenceNumber ?? '').padStart(sequenceLength, '0'),
  atMs: Math.trunc((dynamodb?.ApproximateCreationDateTime ?? 0) * 1_000),
});

/** Lambda gives attribute values as DynamoDB's JSON has them. */
const imageOf = (image: Readonly<Record<string, AttributeValue>> | undefined): Image | undefined =>
  image && valuesOf(image);
