import type { Context, DynamoDBBatchResponse, DynamoDBRecord, DynamoDBStreamEvent } from 'aws-lambda';
import { type AttributeValue, valuesOf } from '../aws/attribute-values.ts';
import type { Queue } from '../aws/queue.ts';
import { InternalError } from '../kit/internal-error.ts';
import { causeOf, log } from '../kit/log.ts';
import type { Clock } from '../kit/time.ts';
import { minuteMs } from '../kit/time-units.ts';

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

/** Why a change is not done. `isPassing`: a repetition may succeed by itself, as after an outage. */
export interface Failure {
  readonly isPassing: boolean;
}

/** What a person has the reader do once more. It is still parked, and stays so if it fails again. */
interface RepeatedEvent extends DynamoDBStreamEvent {
  readonly isRepeated?: true;
}

/** A call of a function that failed, as Lambda parks it: `npm run replay` makes it again. */
export interface FailedCall {
  readonly requestContext: { readonly functionArn: string };
  readonly requestPayload: RepeatedEvent;
}

interface ChangeReaderNeeds {
  /** Does what it can, and returns the failures of the other changes. Changes come again, so it must be idempotent. */
  readonly read: (changes: readonly Change[]) => Promise<ReadonlyMap<Change, Failure>>;
  readonly parkedJobs: Queue<FailedCall>;
  readonly clock: Clock;
}

/** How old a change may be that fails in a way that does not pass, and still holds up those behind it: a new permission works within a minute. */
const longestHoldMs = minuteMs;

/** How many failed changes a process remembers. */
const mostRemembered = 10_000;

/**
 * A Lambda handler for the table's stream whose changes do not depend on each other. Lambda repeats a batch from its first failed change on, and
 * reads nothing behind it. So a change whose failure does not pass is parked after a minute, for a person to repeat, but not before it was repeated.
 */
export const changeReader = ({ read, parkedJobs, clock }: ChangeReaderNeeds) => {
  // The batches of all shards come to the same processes, so a change is remembered until its own batch comes again.
  const failedBefore = new Set<string>();

  return async (
    { Records, isRepeated }: RepeatedEvent,
    { invokedFunctionArn: functionArn }: Pick<Context, 'invokedFunctionArn'>,
  ): Promise<DynamoDBBatchResponse> => {
    const changes = new Map<DynamoDBRecord, Change>();
    for (const record of Records) {
      try {
        changes.set(record, changeOf(record));
      } catch (thrown) {
        log('error', 'a change of the stream could not be read', { eventId: record.eventID, ...causeOf(thrown) });
      }
    }
    const failures = await read([...changes.values()]);
    const failureOf = (record: DynamoDBRecord): Failure | undefined => {
      const change = changes.get(record);
      return change ? failures.get(change) : { isPassing: false };
    };

    const isHeld = (record: DynamoDBRecord): boolean => {
      const writtenMs = 1_000 * (record.dynamodb?.ApproximateCreationDateTime ?? 0);
      const mayPass = failureOf(record)?.isPassing || !failedBefore.has(sequenceOf(record));
      return isRepeated || mayPass || clock() - writtenMs < longestHoldMs;
    };
    const park = async (record: DynamoDBRecord): Promise<boolean> => {
      if (isHeld(record)) return false;
      log('error', 'a change of the stream is parked', { eventId: record.eventID });
      try {
        await parkedJobs.send([
          { requestContext: { functionArn }, requestPayload: { Records: [record], isRepeated: true } },
        ]);
        return true;
      } catch (thrown) {
        log('error', 'a change of the stream could not be parked', causeOf(thrown));
        return false;
      }
    };

    const left = Records.filter(failureOf);
    // Those behind one that is held come again.
    while (left[0] && (await park(left[0]))) left.shift();
    for (const record of Records) failedBefore.delete(sequenceOf(record));
    for (const record of left) failedBefore.add(sequenceOf(record));
    for (const oldest of [...failedBefore].slice(0, -mostRemembered)) failedBefore.delete(oldest);
    return { batchItemFailures: left.map((record) => ({ itemIdentifier: sequenceOf(record) })) };
  };
};

const sequenceOf = ({ dynamodb }: DynamoDBRecord): string => dynamodb?.SequenceNumber ?? '';

const changeOf = ({ dynamodb }: DynamoDBRecord): Change => ({
  before: imageOf(dynamodb?.OldImage),
  after: imageOf(dynamodb?.NewImage),
  sequence: (dynamodb?.SequenceNumber ?? '').padStart(sequenceLength, '0'),
  atMs: Math.trunc((dynamodb?.ApproximateCreationDateTime ?? 0) * 1_000),
});

/** Lambda gives attribute values as DynamoDB's JSON has them. */
const imageOf = (image: Readonly<Record<string, AttributeValue>> | undefined): Image | undefined =>
  image && valuesOf(image);
