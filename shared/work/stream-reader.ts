import type { AttributeValue } from '@aws-sdk/client-dynamodb';
import { unmarshall } from '@aws-sdk/util-dynamodb';
import type { DynamoDBBatchResponse, DynamoDBRecord, DynamoDBStreamEvent } from 'aws-lambda';
import { causeOf, log } from '../kit/log.ts';

type Image = Readonly<Record<string, unknown>>;

/** One write, as the table's stream tells it. */
export interface Change {
  readonly before: Image | undefined;
  readonly after: Image | undefined;
}

/**
 * A Lambda handler for the table's stream: the changes of a batch together, in order. When that fails, the batch comes back
 * and is bisected until the poison is alone, so `read` must bear being told the same change twice.
 */
export const streamReader =
  (read: (changes: readonly Change[]) => Promise<void>) =>
  async (event: DynamoDBStreamEvent): Promise<DynamoDBBatchResponse> => {
    try {
      await read(event.Records.map(changeOf));
      return { batchItemFailures: [] };
    } catch (thrown) {
      log('error', 'stream batch failed', { records: event.Records.length, ...causeOf(thrown) });
      throw thrown;
    }
  };

const changeOf = ({ dynamodb }: DynamoDBRecord): Change => ({
  before: imageOf(dynamodb?.OldImage),
  after: imageOf(dynamodb?.NewImage),
});

/** The Lambda event and the SDK have the same JSON form under two names. */
const imageOf = (image: Record<string, unknown> | undefined): Image | undefined =>
  image && unmarshall(image as Record<string, AttributeValue>);
