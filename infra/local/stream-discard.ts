import { randomUUID } from 'node:crypto';
import { account, region } from './emulators/json-service.ts';
import type { Discard } from './stream-batch.ts';
import type { StreamRecord } from './stream-reader.ts';

interface Origin {
  readonly functionName: string;
  readonly streamArn: string;
  readonly shardId: string;
}

/** What Lambda sends to the on-failure destination of a stream mapping: where the records are, not what they hold. */
export const discardNotice = (discard: Discard, { functionName, streamArn, shardId }: Origin) => {
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
    timestamp: new Date().toISOString(),
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
