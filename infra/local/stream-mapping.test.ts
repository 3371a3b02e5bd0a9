import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { DeleteItemCommand, DynamoDBClient, PutItemCommand } from '@aws-sdk/client-dynamodb';
import { GetObjectCommand, ListObjectsV2Command, S3Client } from '@aws-sdk/client-s3';
import type { DynamoDBRecord, DynamoDBStreamEvent } from 'aws-lambda';
import { afterEach, expect, test } from 'vitest';
import type { StreamMappingSpec, TableSpec } from './blueprint.ts';
import { openCheckpoints } from './checkpoints.ts';
import { startDynamodb } from './emulators/dynamodb.ts';
import { startS3 } from './emulators/s3.ts';
import { closedAfterTest, eventually, temporaryDirectory } from './emulators-fixture.ts';
import type { Invocation } from './function-instance.ts';
import { localClient } from './local-client.ts';
import { putDateAhead } from './shifted-date.ts';
import { openStackClock } from './stack-clock.ts';
import { runStreamMapping } from './stream-mapping.ts';

const things: TableSpec = {
  name: 'things',
  arn: 'arn:aws:dynamodb:us-east-1:000000000000:table/things',
  attributes: [{ name: 'id', type: 'S' }],
  key: { partition: 'id' },
  indexes: [],
  ttlAttribute: 'expiresAt',
  streamView: 'NEW_AND_OLD_IMAGES',
};

const toFailures = { onFailureBucket: 'failures' };

const succeeded: Invocation = { ok: true, payload: null };
const failed: Invocation = { ok: false, errorType: 'Error', errorMessage: 'no', reason: 'error' };
const failedAt = (...records: DynamoDBRecord[]): Invocation => ({
  ok: true,
  payload: { batchItemFailures: records.map(({ dynamodb }) => ({ itemIdentifier: dynamodb?.SequenceNumber })) },
});

const idOf = ({ dynamodb }: DynamoDBRecord): string => dynamodb?.Keys?.['id']?.S ?? '';

const startTable = async () => {
  const dataDirectory = await temporaryDirectory();
  const checkpoints = closedAfterTest(openCheckpoints(dataDirectory));
  const passed = (_: string, shard: string) => checkpoints.passed(['mapping'], shard);
  const dynamodb = closedAfterTest(await startDynamodb({ dataDirectory, tables: [things], passed }));
  const s3 = closedAfterTest(await startS3({ dataDirectory, buckets: [{ name: 'failures', expirations: [] }] }));
  const client = new DynamoDBClient(localClient(dynamodb.url));
  const s3Client = new S3Client({ ...localClient(s3.url), forcePathStyle: true });
  const put = async (...ids: string[]) => {
    for (const id of ids) await client.send(new PutItemCommand({ TableName: 'things', Item: { id: { S: id } } }));
  };
  /** Waits until this many given-up batches are stored, and returns them. */
  const kept = (count: number) =>
    eventually(async () => {
      const { Contents = [] } = await s3Client.send(new ListObjectsV2Command({ Bucket: 'failures' }));
      expect(Contents).toHaveLength(count);
      const bodies = Contents.map(async ({ Key }) => {
        const { Body } = await s3Client.send(new GetObjectCommand({ Bucket: 'failures', Key }));
        const { payload, ...record } = JSON.parse((await Body?.transformToString()) ?? '');
        return { ...record, ids: JSON.parse(payload).Records.map(idOf) };
      });
      return Promise.all(bodies);
    });
  return { dataDirectory, dynamodb, s3, checkpoints, client, put, kept };
};

type Table = Awaited<ReturnType<typeof startTable>>;
type Handler = (event: DynamoDBStreamEvent) => Invocation | Promise<Invocation>;

/** Runs a mapping of the table's stream, and records the ids of each batch that its function gets. */
const run = (
  { dynamodb, s3, checkpoints }: Table,
  handler: Handler,
  options: Partial<StreamMappingSpec> = {},
  timeAt = (machineMs: number) => machineMs,
) => {
  const batches: string[][] = [];
  const spec: StreamMappingSpec = {
    id: 'mapping',
    functionName: 'work',
    tableName: 'things',
    batchSize: 100,
    batchWindowSeconds: 0,
    reportBatchItemFailures: true,
    startingPosition: 'TRIM_HORIZON',
    bisectOnError: false,
    maximumRetryAttempts: -1,
    maximumRecordAgeSeconds: -1,
    filters: [],
    ...options,
  };
  const invoke = async (functionName: string, event: unknown): Promise<Invocation> => {
    expect(functionName).toBe('work');
    const streamEvent = event as DynamoDBStreamEvent;
    batches.push(streamEvent.Records.map(idOf));
    return handler(streamEvent);
  };
  const deps = { dynamodbUrl: dynamodb.url, s3Url: s3.url, invoke, checkpoints, timeAt };
  return { batches, ...closedAfterTest(runStreamMapping(spec, deps)) };
};

afterEach(() => putDateAhead(0));

/** Makes all records in the stream older, by an hour if nothing else is said. */
const ageRecords = ({ dataDirectory }: Table, seconds = 3_600) => {
  const file = new DatabaseSync(join(dataDirectory, 'dynamodb.sqlite'), { timeout: 5_000 });
  file.prepare('UPDATE _stream_records SET created_at = created_at - ?').run(seconds);
  file.close();
};

const recordsIn = ({ dataDirectory }: Table) => {
  const file = new DatabaseSync(join(dataDirectory, 'dynamodb.sqlite'), { timeout: 5_000 });
  const count = file.prepare('SELECT count(*) AS count FROM _stream_records').get()?.['count'];
  file.close();
  return count;
};

test('changes that waited for longer than a day, as over a weekend, are read all the same, and trimmed afterwards', async () => {
  const table = await startTable();
  await table.put('a', 'b', 'c');
  ageRecords(table, 3 * 86_400);
  await table.dynamodb.sweepExpired();
  const { batches } = run(table, () => succeeded);
  await eventually(() => expect(batches.flat()).toEqual(['a', 'b', 'c']));
  await eventually(async () => {
    await table.dynamodb.sweepExpired();
    expect(recordsIn(table)).toBe(1);
  });
});

test('the function gets the same event as on Lambda', async () => {
  const table = await startTable();
  const records: DynamoDBRecord[] = [];
  run(table, ({ Records }) => {
    records.push(...Records);
    return succeeded;
  });
  const id = { S: 'x' };
  const expiresAt = { N: `${Math.floor(Date.now() / 1_000) - 10}` };
  const put = (item: object) => table.client.send(new PutItemCommand({ TableName: 'things', Item: { id, ...item } }));
  await put({ bytes: { B: new Uint8Array([1, 2, 3]) } });
  await put({ count: { N: '1' } });
  await table.client.send(new DeleteItemCommand({ TableName: 'things', Key: { id } }));
  await put({ expiresAt });
  await table.dynamodb.sweepExpired();

  await eventually(() => expect(records).toHaveLength(5));
  const same = {
    eventID: expect.any(String),
    eventVersion: '1.1',
    eventSource: 'aws:dynamodb',
    awsRegion: 'us-east-1',
    eventSourceARN: expect.stringMatching(/^arn:aws:dynamodb:us-east-1:000000000000:table\/things\/stream\/./),
  };
  const change = {
    ApproximateCreationDateTime: expect.closeTo(Date.now() / 1_000, -2),
    Keys: { id },
    SequenceNumber: expect.stringMatching(/^\d+$/),
    SizeBytes: expect.any(Number),
    StreamViewType: 'NEW_AND_OLD_IMAGES',
  };
  expect(records).toEqual([
    { ...same, eventName: 'INSERT', dynamodb: { ...change, NewImage: { id, bytes: { B: 'AQID' } } } },
    {
      ...same,
      eventName: 'MODIFY',
      dynamodb: { ...change, OldImage: { id, bytes: { B: 'AQID' } }, NewImage: { id, count: { N: '1' } } },
    },
    { ...same, eventName: 'REMOVE', dynamodb: { ...change, OldImage: { id, count: { N: '1' } } } },
    { ...same, eventName: 'INSERT', dynamodb: { ...change, NewImage: { id, expiresAt } } },
    {
      ...same,
      eventName: 'REMOVE',
      dynamodb: { ...change, OldImage: { id, expiresAt } },
      userIdentity: { type: 'Service', principalId: 'dynamodb.amazonaws.com' },
    },
  ]);
});

test('all changes arrive in order, in batches of the configured size', async () => {
  const table = await startTable();
  const ids = Array.from({ length: 25 }, (_, index) => `${index}`);
  await table.put(...ids);
  const { batches } = run(table, () => succeeded, { batchSize: 10 });
  await eventually(() => expect(batches.flat()).toEqual(ids));
  expect(batches.map((batch) => batch.length)).toEqual([10, 10, 5]);
});

test('a batching window collects changes that arrive one by one', async () => {
  const table = await startTable();
  const { batches } = run(table, () => succeeded, { batchSize: 3, batchWindowSeconds: 5 });
  await table.put('a', 'b', 'c');
  await eventually(() => expect(batches).toEqual([['a', 'b', 'c']]));
});

test('the function is called only for changes that pass one of the filters', async () => {
  const table = await startTable();
  const idIs = (rule: unknown) => ({ eventName: ['INSERT'], dynamodb: { Keys: { id: { S: [rule] } } } });
  const filters = [idIs({ prefix: 'message-' }), idIs('credit')];
  await table.put('message-1', 'key', 'credit', 'message-1', 'message-2', 'lock');
  const first = run(table, () => succeeded, { filters });
  await eventually(() => expect(first.batches.flat()).toEqual(['message-1', 'credit', 'message-2']));
  await first.close();
  const second = run(table, () => succeeded, { filters });
  await table.put('message-3');
  await eventually(() => expect(second.batches).toEqual([['message-3']]));
});

test('an invalid filter is refused at once', async () => {
  const table = await startTable();
  expect(() => run(table, () => succeeded, { filters: [{ eventName: 'INSERT' }] })).toThrow('event filter');
});

test('a mapping that begins at LATEST gets all changes after its first start, also those made while it is stopped', async () => {
  const table = await startTable();
  await table.put('before');
  const first = run(table, () => succeeded, { startingPosition: 'LATEST' });
  await eventually(() => expect(table.checkpoints.get('mapping', streamOf(table))).toBeDefined());
  await first.close();
  await table.put('away');
  const second = run(table, () => succeeded, { startingPosition: 'LATEST' });
  await eventually(() => expect(second.batches).toEqual([['away']]));
  expect(first.batches).toEqual([]);
});

/** The ARN under which the mapping records its start. */
const streamOf = ({ dataDirectory }: Table): string => {
  const file = new DatabaseSync(join(dataDirectory, 'dynamodb.sqlite'), { readOnly: true });
  const label = file.prepare('SELECT stream_label FROM _tables').get()?.['stream_label'];
  file.close();
  return `${things.arn}/stream/${label}`;
};

test('a batch that failed is retried, and no later change is read until it succeeds', async () => {
  const table = await startTable();
  let failures = 2;
  const { batches } = run(table, () => (failures-- > 0 ? failed : succeeded), { batchSize: 1 });
  await table.put('a', 'b');
  await eventually(() => expect(batches).toEqual([['a'], ['a'], ['a'], ['b']]));
});

test('all changes of a batch from the first failed one on are retried', async () => {
  const table = await startTable();
  await table.put('a', 'b', 'c', 'd');
  let fails = true;
  const { batches } = run(table, ({ Records }) => {
    const failures = fails ? Records.filter((record) => 'bd'.includes(idOf(record))) : [];
    fails = false;
    return failedAt(...failures.toReversed());
  });
  await eventually(() =>
    expect(batches).toEqual([
      ['a', 'b', 'c', 'd'],
      ['b', 'c', 'd'],
    ]),
  );
});

test('splitting isolates a poison change and stores it whole in the on-failure bucket; the others are processed in order', async () => {
  const table = await startTable();
  const ids = ['a', 'b', 'c', 'poison', 'e', 'f'];
  await table.put(...ids);
  const passed: string[] = [];
  const { batches } = run(
    table,
    ({ Records }) => {
      if (Records.some((record) => idOf(record) === 'poison')) return failed;
      passed.push(...Records.map(idOf));
      return succeeded;
    },
    { ...toFailures, bisectOnError: true, maximumRetryAttempts: 1 },
  );
  const received = await table.kept(1);
  expect(received).toEqual([
    {
      requestContext: {
        requestId: expect.any(String),
        functionArn: 'arn:aws:lambda:us-east-1:000000000000:function:work',
        condition: 'RetryAttemptsExhausted',
        approximateInvokeCount: 2,
      },
      responseContext: { statusCode: 200, executedVersion: '$LATEST', functionError: 'Unhandled' },
      version: '1.0',
      timestamp: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
      DDBStreamBatchInfo: {
        shardId: expect.stringMatching(/^shardId-/),
        startSequenceNumber: '4',
        endSequenceNumber: '4',
        approximateArrivalOfFirstRecord: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/),
        approximateArrivalOfLastRecord: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/),
        batchSize: 1,
        streamArn: streamOf(table),
      },
      ids: ['poison'],
    },
  ]);
  await eventually(() => expect(passed).toEqual(ids.filter((id) => id !== 'poison')));
  expect(batches.filter((batch) => batch.length === 1 && batch[0] === 'poison')).toHaveLength(2);
});

test('a poison change that the function names is isolated too', async () => {
  const table = await startTable();
  await table.put('poison', 'b', 'c');
  const passed = new Set<string>();
  run(
    table,
    ({ Records }) => {
      const poison = Records.filter((record) => idOf(record) === 'poison');
      for (const record of Records) if (idOf(record) !== 'poison') passed.add(idOf(record));
      return failedAt(...poison);
    },
    { ...toFailures, bisectOnError: true, maximumRetryAttempts: 0 },
  );
  expect(await table.kept(1)).toMatchObject([
    { responseContext: { statusCode: 200 }, DDBStreamBatchInfo: { startSequenceNumber: '1', batchSize: 1 } },
  ]);
  await eventually(() => expect(passed).toEqual(new Set(['b', 'c'])));
});

test('without splitting, the whole batch is given up when its retries are used up', async () => {
  const table = await startTable();
  await table.put('a', 'b');
  const { batches } = run(table, ({ Records }) => (Records.map(idOf).includes('a') ? failed : succeeded), {
    ...toFailures,
    maximumRetryAttempts: 1,
  });
  expect(await table.kept(1)).toMatchObject([
    { DDBStreamBatchInfo: { startSequenceNumber: '1', endSequenceNumber: '2', batchSize: 2 }, ids: ['a', 'b'] },
  ]);
  await table.put('c');
  await eventually(() => expect(batches).toEqual([['a', 'b'], ['a', 'b'], ['c']]));
});

test('a change that failed for longer than the mapping allows is given up', async () => {
  const table = await startTable();
  await table.put('poison');
  const { batches } = run(table, ({ Records }) => (Records.map(idOf).includes('poison') ? failed : succeeded), {
    ...toFailures,
    maximumRecordAgeSeconds: 1,
  });
  expect(await table.kept(1)).toMatchObject([
    {
      requestContext: { condition: 'RecordAgeExceeded' },
      responseContext: { functionError: 'Unhandled' },
      DDBStreamBatchInfo: { startSequenceNumber: '1', batchSize: 1 },
    },
  ]);
  // One that a busy machine leaves for a second is given up too.
  let count = 0;
  await eventually(async () => {
    count += 1;
    await table.put(`young ${count}`);
    expect(batches.flat().filter((id) => id !== 'poison')).not.toEqual([]);
  });
});

test('a change that waited while the stack was stopped is not given up', async () => {
  const table = await startTable();
  await table.put('waiting');
  ageRecords(table);
  const { batches } = run(table, () => succeeded, { ...toFailures, maximumRecordAgeSeconds: 60 });
  await eventually(() => expect(batches).toEqual([['waiting']]));
});

test('a skip of time gives up no change, and a repetition has the same time', async () => {
  const table = await startTable();
  const clock = openStackClock(table.dataDirectory);
  const times: (number | undefined)[] = [];
  await table.put('waiting');
  ageRecords(table);
  const handler: Handler = ({ Records }) => {
    times.push(...Records.map(({ dynamodb }) => dynamodb?.ApproximateCreationDateTime));
    if (times.length > 2) return succeeded;
    clock.skip(24 * 3_600_000);
    return failed;
  };
  const { batches } = run(table, handler, { ...toFailures, maximumRecordAgeSeconds: 7_200 }, clock.at);
  await eventually(() => expect(batches).toEqual([['waiting'], ['waiting'], ['waiting']]));
  expect(new Set(times).size).toBe(1);
});

test('without an on-failure bucket, changes that are given up are skipped', async () => {
  const table = await startTable();
  await table.put('poison', 'next');
  const { batches } = run(table, ({ Records }) => (Records.map(idOf).includes('poison') ? failed : succeeded), {
    maximumRetryAttempts: 0,
    batchSize: 1,
  });
  await eventually(() => expect(batches).toEqual([['poison'], ['next']]));
});

test('after a restart, a mapping continues at its position and retries what had not succeeded', async () => {
  const table = await startTable();
  await table.put('done', 'stuck', 'waiting');
  const first = run(table, ({ Records }) => (Records.map(idOf).includes('stuck') ? failed : succeeded), {
    batchSize: 1,
  });
  await eventually(() => expect(first.batches).toContainEqual(['stuck']));
  await first.close();
  const second = run(table, () => succeeded, { batchSize: 1 });
  await eventually(() => expect(second.batches).toEqual([['stuck'], ['waiting']]));
});

test('closing lets the running invocation finish, and records that it did', async () => {
  const table = await startTable();
  await table.put('a', 'b');
  const gate = Promise.withResolvers<Invocation>();
  const first = run(table, () => gate.promise, { batchSize: 1 });
  await eventually(() => expect(first.batches).toEqual([['a']]));
  const closing = first.close();
  gate.resolve(succeeded);
  await closing;
  const second = run(table, () => succeeded, { batchSize: 1 });
  await eventually(() => expect(second.batches).toEqual([['b']]));
  expect(first.batches).toEqual([['a']]);
});

test('two mappings of one stream are independent', async () => {
  const table = await startTable();
  await table.put('a', 'b');
  const slow = run(table, () => failed, { id: 'slow' });
  const quick = run(table, () => succeeded, { id: 'quick' });
  await eventually(() => expect(quick.batches.flat()).toEqual(['a', 'b']));
  await eventually(() => expect(slow.batches.length).toBeGreaterThan(1));
});
