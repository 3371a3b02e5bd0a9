import * as z from 'zod';
import { openSignedPost } from '../../shared/aws/signed-post.ts';
import { region } from './local-region.ts';

/** A change in the form of the wire and of Lambda's event: attribute values as DynamoDB JSON, binary ones in base64. */
const StreamRecord = z.looseObject({
  dynamodb: z.looseObject({ SequenceNumber: z.string(), ApproximateCreationDateTime: z.number() }),
});
export type StreamRecord = z.infer<typeof StreamRecord>;

const Shard = z.object({
  ShardId: z.string(),
  ParentShardId: z.string().optional(),
  SequenceNumberRange: z.object({ EndingSequenceNumber: z.string().optional() }),
});
export type Shard = z.infer<typeof Shard>;

const withinMs = 10_000;

export type Position = 'LATEST' | 'TRIM_HORIZON' | { readonly after: string };

const Answers = {
  DescribeTable: z.object({ Table: z.object({ LatestStreamArn: z.string() }) }),
  DescribeStream: z.object({ StreamDescription: z.object({ Shards: z.array(Shard) }) }),
  GetShardIterator: z.object({ ShardIterator: z.string() }),
  GetRecords: z.object({ Records: z.array(StreamRecord), NextShardIterator: z.string().nullish() }),
};
const Refusal = z.object({ __type: z.string() });

/**
 * Reads a table's stream: the SDK would convert the records, and Lambda passes them on unchanged. Every call
 * ends with the signal or after ten seconds. `reader` is its access key id.
 */
export const openStream = async (dynamodbUrl: string, tableName: string, reader: string, signal: AbortSignal) => {
  const credentials = { accessKeyId: reader, secretAccessKey: 'local' };
  const post = openSignedPost('dynamodb', { url: dynamodbUrl, region, credentials }, { withinMs });
  const ask = async <Name extends keyof typeof Answers>(action: Name, request: object) => {
    const service = action === 'DescribeTable' ? 'DynamoDB_20120810' : 'DynamoDBStreams_20120810';
    const headers = { 'content-type': 'application/x-amz-json-1.0', 'x-amz-target': `${service}.${action}` };
    const { status, text } = await post({ headers, body: JSON.stringify(request), signal });
    const answer: unknown = JSON.parse(text);
    if (status !== 200) throw new StreamRefusal(Refusal.parse(answer).__type);
    return Answers[action].parse(answer) as z.infer<(typeof Answers)[Name]>;
  };
  const { Table } = await ask('DescribeTable', { TableName: tableName });
  const { LatestStreamArn: StreamArn } = Table;
  const arn = StreamArn.replace(/^arn:aws:dynamodb:[^:]*/, `arn:aws:dynamodb:${region}`);

  const iterator = async (ShardId: string, from: Position): Promise<string> => {
    const position =
      typeof from === 'string'
        ? { ShardIteratorType: from }
        : { ShardIteratorType: 'AFTER_SEQUENCE_NUMBER', SequenceNumber: from.after };
    return (await ask('GetShardIterator', { StreamArn, ShardId, ...position })).ShardIterator;
  };

  return {
    arn,
    shards: async (): Promise<readonly Shard[]> =>
      (await ask('DescribeStream', { StreamArn })).StreamDescription.Shards,
    /** Where reading begins. A position that has been trimmed means the oldest record. */
    iterator: async (shardId: string, from: Position): Promise<string> => {
      try {
        return await iterator(shardId, from);
      } catch (error) {
        if (error instanceof StreamRefusal && error.isTrimmed) return iterator(shardId, 'TRIM_HORIZON');
        throw error;
      }
    },
    /** The next records. Without `next`, the shard has ended. */
    records: async (ShardIterator: string) => {
      const { Records, NextShardIterator } = await ask('GetRecords', { ShardIterator });
      const records = Records.map((record) => ({ ...record, awsRegion: region, eventSourceARN: arn }));
      return { records, next: NextShardIterator ?? undefined };
    },
  };
};

export type Stream = Awaited<ReturnType<typeof openStream>>;

class StreamRefusal extends Error {
  override readonly name = 'StreamRefusal';
  get isTrimmed(): boolean {
    return this.message.endsWith('TrimmedDataAccessException');
  }
}
