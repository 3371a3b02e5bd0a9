import type { DynamoDBRecord } from 'aws-lambda';
import { openStream } from '../infra/local/dynamodb-stream.ts';
import { tableSpec, type World } from './world.ts';

/** Reads the message records of the table's stream, each once, as a function receives them. */
export const readMessageRecords = (world: World) => readRecordsOf(world, ['message']);

/** The same of items of these kinds. */
export const readRecordsOf = async (
  world: World,
  entities: readonly string[],
): Promise<() => Promise<DynamoDBRecord[]>> => {
  const isMeant = (record: DynamoDBRecord): boolean => entities.includes(entityOf(record));
  const stream = await openStream(world.dynamodb.url, tableSpec.name, 'test', new AbortController().signal);
  const shards = await stream.shards();
  const iterators: (string | undefined)[] = await Promise.all(
    shards.map(({ ShardId }) => stream.iterator(ShardId, 'TRIM_HORIZON')),
  );
  const readOn = async (shard: number): Promise<DynamoDBRecord[]> => {
    const iterator = iterators[shard];
    if (iterator === undefined) return [];
    const { records, next } = await stream.records(iterator);
    iterators[shard] = next;
    return records.length === 0 ? [] : [...(records as DynamoDBRecord[]), ...(await readOn(shard))];
  };
  return async () => (await Promise.all(iterators.map((_, shard) => readOn(shard)))).flat().filter(isMeant);
};

export const entityOf = ({ dynamodb }: DynamoDBRecord): string =>
  (dynamodb?.NewImage ?? dynamodb?.OldImage)?.['entity']?.S ?? '';
