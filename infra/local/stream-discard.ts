import { randomUUID } from 'node:crypto';
import type { StreamRecord } from './dynamodb-stream.ts';
import { account, region } from './local-region.ts';
import type { Discard } from './stream-batch.ts';

interface Origin {
  readonly mappingId: string;
  readonly functionName: string;
  readonly streamArn: string;
  readonly shardId: string;
}

/** The object that Lambda stores in the on-failure bucket of a stream mapping, and its key: the records' positions and the whole event. */
export const keptBatch = (discard: Discard, { mappingId, ...origin }: Origin) => {
  const timestamp = new Date().toISOString();
  const [day = '', time = ''] = timestamp.slice(0, 19).split('T');
  const file = `${day}T${time.replaceAll(':', '.')}-${randomUUID()}`;
  return {
    key: ['aws', 'lambda', mappingId, origin.shardId, ...day.split('-'), file].join('/'),
    body: { ...invocationRecord(discard, origin, timestamp), payload: JSON.stringify({ Records: discard.records }) },
  };
};

const invocationRecord = (
  discard: Discard,
  { functionName, streamArn, shardId }: Omit<Origin, 'mappingId'>,
  timestamp: string,
) => {
  const { records, condition, invokeCount, invocation } = discard;
  const [first, last] = [records.at(0)?.dynamodb, records.at(-1)?.dynamodb];
  return {
    requestContext: {
      requestId: randomUUID(),
      functionArn: `arn:aws:lambda:${region}:${account}:function:${functionName}`,
      condition,
      approximateInvokeCount: invokeCount,
    },
    ...(invocation && {
      responseContext: {
        statusCode: 200,
        executedVersion: '$LATEST',
        ...(!invocation.ok && { functionError: 'Unhandled' }),
      },
    }),
    version: '1.0',
    timestamp,
    DDBStreamBatchInfo: {
      shardId,
      startSequenceNumber: first?.SequenceNumber,
      endSequenceNumber: last?.SequenceNumber,
      approximateArrivalOfFirstRecord: arrival(first),
      approximateArrivalOfLastRecord: arrival(last),
      batchSize: records.length,
      streamArn,
    },
  };
};

const arrival = ({ ApproximateCreationDateTime = 0 }: Partial<StreamRecord['dynamodb']> = {}): string =>
  new Date(ApproximateCreationDateTime * 1_000).toISOString().replace(/\.\d+/, '');
