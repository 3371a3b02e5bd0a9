import {
  BatchGetItemCommand,
  BatchWriteItemCommand,
  type CancellationReason,
  DynamoDBClient,
  GetItemCommand,
  PutItemCommand,
  QueryCommand,
  TransactGetItemsCommand,
  TransactionCanceledException,
  TransactWriteItemsCommand,
  UpdateItemCommand,
} from '@aws-sdk/client-dynamodb';
import { describe, expect, it } from 'vitest';
import type { TableSpec } from '../blueprint.ts';
import { openStream } from '../dynamodb-stream.ts';
import { closedAfterTest, temporaryDirectory } from '../emulators-fixture.ts';
import { localClient } from '../local-client.ts';
import { startDynamodb } from './dynamodb.ts';
import { type DynamodbLimitsOptions, startDynamodbLimits } from './dynamodb-limits.ts';

const things: TableSpec = {
  name: 'things',
  arn: 'arn:aws:dynamodb:us-east-1:000000000000:table/things',
  attributes: ['PK', 'SK', 'GSI1PK', 'GSI1SK'].map((name) => ({ name, type: 'S' })),
  key: { partition: 'PK', sort: 'SK' },
  indexes: [{ name: 'GSI1', key: { partition: 'GSI1PK', sort: 'GSI1SK' }, projection: 'ALL' }],
  streamView: 'NEW_IMAGE',
};

const keyOf = (partition: string, sort = 'x') => ({ PK: { S: partition }, SK: { S: sort } });

const start = async (options: Partial<DynamodbLimitsOptions> = {}) => {
  const { url } = closedAfterTest(await startDynamodb({ dataDirectory: await temporaryDirectory(), tables: [things] }));
  const limits = closedAfterTest(
    await startDynamodbLimits({ url, tables: [things], pause: async () => {}, ...options }),
  );
  const client = new DynamoDBClient({ ...localClient(limits.url), maxAttempts: 1 });
  const put = (partition: string, more = {}) =>
    client.send(new PutItemCommand({ TableName: 'things', Item: { ...keyOf(partition), ...more } }));
  const get = (partition: string) =>
    client.send(new GetItemCommand({ TableName: 'things', Key: keyOf(partition), ConsistentRead: true }));
  const transact = (...partitions: string[]) =>
    client.send(
      new TransactWriteItemsCommand({
        TransactItems: partitions.map((partition) => ({
          Update: {
            TableName: 'things',
            Key: keyOf(partition),
            UpdateExpression: 'ADD n :one',
            ExpressionAttributeValues: { ':one': { N: '1' } },
          },
        })),
      }),
    );
  return { url: limits.url, client, put, get, transact };
};

const refusalOf = async (call: Promise<unknown>): Promise<unknown> => {
  const [{ status, ...outcome }] = await Promise.allSettled([call]);
  return status === 'rejected' && 'reason' in outcome ? outcome.reason : 'accepted';
};

const reasonsOf = async (call: Promise<unknown>): Promise<unknown> => {
  const thrown = await refusalOf(call);
  return thrown instanceof TransactionCanceledException
    ? thrown.CancellationReasons?.map(({ Code }: CancellationReason) => Code)
    : thrown;
};

describe('while a transaction holds its items', () => {
  const holding = async () => {
    const [begun, end] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    let pauses = 0;
    const pause = async () => {
      pauses += 1;
      begun.resolve();
      if (pauses === 1) await end.promise;
    };
    const stack = await start({ pause });
    await stack.put('a', { n: { N: '1' } });
    const running = stack.transact('a', 'b');
    await begun.promise;
    const finish = async () => {
      end.resolve();
      await running;
    };
    return { ...stack, finish };
  };

  it('another transaction is cancelled at the positions of the items that both have', async () => {
    const { transact, finish } = await holding();
    expect(await reasonsOf(transact('c', 'b', 'a'))).toEqual(['None', 'TransactionConflict', 'TransactionConflict']);
    await finish();
    expect(await reasonsOf(transact('c', 'b', 'a'))).toBe('accepted');
  });

  it('a single write of one of them is refused, and of another item is not', async () => {
    const { put, client, finish } = await holding();
    expect(await refusalOf(put('a'))).toMatchObject({ name: 'TransactionConflictException' });
    const update = new UpdateItemCommand({ TableName: 'things', Key: keyOf('b') });
    expect(await refusalOf(client.send(update))).toMatchObject({ name: 'TransactionConflictException' });
    expect(await refusalOf(put('c'))).toBe('accepted');
    await finish();
    expect(await refusalOf(put('a'))).toBe('accepted');
  });

  it('reads are answered, and only a transactional one is cancelled', async () => {
    const { client, get, finish } = await holding();
    expect((await get('a')).Item).toBeDefined();
    const KeyConditionExpression = 'PK = :a';
    const ExpressionAttributeValues = { ':a': { S: 'a' } };
    const query = new QueryCommand({ TableName: 'things', KeyConditionExpression, ExpressionAttributeValues });
    expect((await client.send(query)).Items).toHaveLength(1);
    const batch = new BatchGetItemCommand({ RequestItems: { things: { Keys: [keyOf('a')] } } });
    expect((await client.send(batch)).Responses?.['things']).toHaveLength(1);
    const TransactItems = ['c', 'a'].map((partition) => ({ Get: { TableName: 'things', Key: keyOf(partition) } }));
    const transaction = () => client.send(new TransactGetItemsCommand({ TransactItems }));
    expect(await reasonsOf(transaction())).toEqual(['None', 'TransactionConflict']);
    await finish();
    expect(await reasonsOf(transaction())).toBe('accepted');
  });

  it('a batch leaves its items unprocessed', async () => {
    const { client, finish } = await holding();
    const requests = ['a', 'c'].map((partition) => ({ PutRequest: { Item: keyOf(partition) } }));
    const batch = await client.send(new BatchWriteItemCommand({ RequestItems: { things: requests } }));
    expect(batch.UnprocessedItems).toEqual({ things: [{ PutRequest: { Item: keyOf('a') } }] });
    await finish();
  });
});

describe('a partition key that takes one write unit and three read units a second', () => {
  const startSlow = async () => {
    const clock = { nowMs: 0 };
    return { clock, ...(await start({ factor: 1_000, nowMs: () => clock.nowMs })) };
  };
  const throttled = (reason: string) => ({
    name: 'ThrottlingException',
    throttlingReasons: [{ reason: `${reason}KeyRangeThroughputExceeded` }],
  });

  it('refuses the writes beyond that, and takes them a second later', async () => {
    const { clock, put } = await startSlow();
    await put('a');
    expect(await refusalOf(put('a'))).toMatchObject(throttled('TableWrite'));
    expect(await refusalOf(put('b'))).toBe('accepted');
    clock.nowMs = 1_000;
    expect(await refusalOf(put('a'))).toBe('accepted');
  });

  it('is in debt after an item of several units', async () => {
    const { clock, put } = await startSlow();
    await put('a', { text: { S: 'x'.repeat(2_500) } });
    clock.nowMs = 2_000;
    expect(await refusalOf(put('a'))).toMatchObject(throttled('TableWrite'));
    clock.nowMs = 2_001;
    expect(await refusalOf(put('a'))).toBe('accepted');
  });

  it('refuses writes of other items for an index key', async () => {
    const { put } = await startSlow();
    const listed = { GSI1PK: { S: 'all' }, GSI1SK: { S: '1' } };
    await put('a', listed);
    expect(await refusalOf(put('b', listed))).toMatchObject(throttled('IndexWrite'));
    expect(await refusalOf(put('b', { ...listed, GSI1PK: { S: 'others' } }))).toBe('accepted');
  });

  it('takes two units for each item of a transaction, and cancels it at the position of the key', async () => {
    const { clock, transact } = await startSlow();
    await transact('a');
    clock.nowMs = 1_000;
    expect(await reasonsOf(transact('b', 'a'))).toEqual(['None', 'ThrottlingError']);
    clock.nowMs = 1_001;
    expect(await reasonsOf(transact('a'))).toBe('accepted');
  });

  it('refuses reads beyond that, and leaves keys of a batch unprocessed', async () => {
    const { client, get } = await startSlow();
    for (let n = 0; n < 3; n += 1) await get('a');
    expect(await refusalOf(get('a'))).toMatchObject(throttled('TableRead'));
    const batch = (...partitions: string[]) =>
      client.send(
        new BatchGetItemCommand({
          RequestItems: { things: { Keys: partitions.map((partition) => keyOf(partition)) } },
        }),
      );
    expect((await batch('b', 'a')).UnprocessedKeys).toEqual({ things: { Keys: [keyOf('a')] } });
    expect(await refusalOf(batch('a'))).toMatchObject(throttled('TableRead'));
  });

  it('leaves writes of a batch unprocessed', async () => {
    const { client, put } = await startSlow();
    await put('a');
    const requests = ['a', 'b'].map((partition) => ({ PutRequest: { Item: keyOf(partition) } }));
    const { UnprocessedItems } = await client.send(new BatchWriteItemCommand({ RequestItems: { things: requests } }));
    expect(UnprocessedItems).toEqual({ things: [{ PutRequest: { Item: keyOf('a') } }] });
  });
});

it('the seed decides how long each transaction holds its items: 5 to 15 ms', async () => {
  const times = async (seed: number): Promise<number[]> => {
    const held: number[] = [];
    const { transact } = await start({ seed, pause: async (ms) => void held.push(ms) });
    for (let n = 0; n < 5; n += 1) await transact('a');
    return held;
  };
  const held = await times(1);
  expect(Math.min(...held)).toBeGreaterThanOrEqual(5);
  expect(Math.max(...held)).toBeLessThanOrEqual(15);
  expect(await times(1)).toEqual(held);
  expect(await times(2)).not.toEqual(held);
});

it('a shard of the stream has two readers, and a third one only when another has gone', async () => {
  const clock = { nowMs: 0 };
  const { url, put } = await start({ nowMs: () => clock.nowMs });
  await put('a');
  const openAs = async (name: string) => {
    const stream = await openStream(url, 'things', name, new AbortController().signal);
    const [shard] = await stream.shards();
    const next = await stream.iterator(shard?.ShardId ?? '', 'TRIM_HORIZON');
    return async () => (await stream.records(next)).records.length;
  };
  const [first, second, third] = await Promise.all(['first', 'second', 'third'].map(openAs));
  expect([await first?.(), await second?.()]).toEqual([1, 1]);
  expect(String(await refusalOf(Promise.resolve(third?.())))).toContain('LimitExceededException');
  clock.nowMs = 5_001;
  expect([await first?.(), await third?.()]).toEqual([1, 1]);
});

it('what DynamoDB refuses is refused by DynamoDB', async () => {
  const { client } = await start();
  const unknown = client.send(new GetItemCommand({ TableName: 'others', Key: keyOf('a') }));
  expect(await refusalOf(unknown)).toMatchObject({ name: 'ResourceNotFoundException' });
});
