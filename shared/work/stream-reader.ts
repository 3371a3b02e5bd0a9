import { unmarshall } from '@aws-sdk/util-dynamodb';
import type { DynamoDBBatchResponse, DynamoDBRecord, DynamoDBStreamEvent } from 'aws-lambda';
import { InternalError } from '../kit/internal-error.ts';
import { causeOf, log } from '../kit/log.ts';
import type { Clock } from '../kit/time.ts';

type Image = Readonly<Record<string, unknown>>;

/** One write, as the table's stream tells it. */
export interface Change {
  readonly before: Image | undefined;
  readonly after: Image | undefined;
  /** Of one item's changes, a later one has the greater text. */
  readonly sequence: string;
  /** When it was written, to the second. */
  readonly atMs: number;
}

/** The digits of the longest sequence number. */
const sequenceLength = 40;

/**
 * A Lambda handler for the table's stream: the changes of a batch together, in order. When that fails, the batch comes back
 * and is bisected until the poison is alone, so `read` must bear being told the same change twice.
 */
export const streamReader =
  (read: (changes: readonly Change[], nowMs: number) => Promise<void>, clock: Clock = Date.now) =>
  async (event: DynamoDBStreamEvent): Promise<DynamoDBBatchResponse> => {
    try {
      await read(event.Records.map(changeOf), clock());
      return { batchItemFailures: [] };
    } catch (thrown) {
      log('error', 'stream batch failed', { records: event.Records.length, ...causeOf(thrown) });
      // Lambda's runtime logs what a function throws, with its message.
      throw new InternalError('a batch of the stream failed');
    }
  };

const changeOf = ({ dynamodb }: DynamoDBRecord): Change => ({
  before: imageOf(dynamodb?.OldImage),
  after: imageOf(dynamodb?.NewImage),
  sequence: (dynamodb?.SequenceNumber ?? '').padStart(sequenceLength, '0'),
  atMs: Math.trunc((dynamodb?.ApproximateCreationDateTime ?? 0) * 1_000),
});

/** An attribute is named by its type; of the names, only `B` can stand before the text of a binary value. */
const withBytes = (name: string, value: unknown): unknown =>
  name === 'B' && typeof value === 'string' ? Buffer.from(value, 'base64') : value;

/** A Lambda event is what the SDK takes, under another name and with binary values in base64. */
const imageOf = (image: Record<string, unknown> | undefined): Image | undefined =>
  image && unmarshall(JSON.parse(JSON.stringify(image), withBytes));
