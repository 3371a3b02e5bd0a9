import { EventEmitter } from 'node:events';
import { expect, test, vi } from 'vitest';
import * as z from 'zod';
import { type Checkpoints, openCheckpoints } from './checkpoints.ts';
import { AwsError, serveJson } from './emulators/json-service.ts';
import { closedAfterTest, eventually, temporaryDirectory } from './emulators-fixture.ts';
import { runStreamMapping } from './stream-mapping.ts';

// dynoxide has one endless shard and trims no position, so a small fake server covers the other cases.

const StreamArn = 'arn:aws:dynamodb:us-east-1:000000000000:table/things/stream/label';

interface FakeShard {
  readonly parent?: string;
  /** Sequence numbers, in order. */
  readonly records: readonly number[];
  readonly isOpen?: true;
}

const Request = z.object({
  ShardId: z.string().default(''),
  ShardIteratorType: z.string().default(''),
  SequenceNumber: z.coerce.number().default(0),
  ShardIterator: z.string().default(''),
});

const toRecord = (number: number) => ({
  dynamodb: { SequenceNumber: `${number}`, ApproximateCreationDateTime: Date.now() / 1_000 },
});

/** A stream of these shards. `trouble` may throw at any call. */
const serveStream = async (shards: Readonly<Record<string, FakeShard>>, trouble = (_action: string) => {}) => {
  const answers: Record<string, (request: z.infer<typeof Request>) => unknown> = {
    DescribeTable: () => ({ Table: { LatestStreamArn: StreamArn } }),
    DescribeStream: () => ({
      StreamDescription: {
        Shards: Object.entries(shards).map(([ShardId, { parent }]) => ({
          ShardId,
          ParentShardId: parent,
          SequenceNumberRange: { StartingSequenceNumber: '1' },
        })),
      },
    }),
    GetShardIterator: ({ ShardId, ShardIteratorType, SequenceNumber }) => {
      const [oldest = 0] = shards[ShardId]?.records ?? [];
      const isAfter = ShardIteratorType === 'AFTER_SEQUENCE_NUMBER';
      if (isAfter && SequenceNumber < oldest - 1) throw new AwsError('TrimmedDataAccessException', 'It is gone.');
      return { ShardIterator: `${ShardId}|${isAfter ? SequenceNumber : 0}` };
    },
    GetRecords: ({ ShardIterator }) => {
      const [shardId = '', after] = ShardIterator.split('|');
      const { records = [], isOpen } = shards[shardId] ?? {};
      const found = records.filter((number) => number > Number(after));
      const NextShardIterator = isOpen || found.length > 0 ? `${shardId}|${found.at(-1) ?? after}` : null;
      return { Records: found.map(toRecord), NextShardIterator };
    },
  };
  return closedAfterTest(
    await serveJson(({ headers, body }) => {
      const action = String(headers['x-amz-target']).split('.').at(-1) ?? '';
      trouble(action);
      return answers[action]?.(Request.parse(body));
    }),
  );
};

const Event = z.object({ Records: z.array(z.object({ dynamodb: z.object({ SequenceNumber: z.string() }) })) });

/** Runs a mapping of the stream, and records the sequence numbers that its function gets. */
const run = (dynamodbUrl: string, checkpoints: Checkpoints, writes?: EventEmitter) => {
  const seen: number[] = [];
  const report = vi.fn();
  const spec = {
    id: 'mapping',
    functionName: 'work',
    tableName: 'things',
    batchSize: 10,
    batchWindowSeconds: 0,
    reportBatchItemFailures: false,
    startingPosition: 'TRIM_HORIZON',
    bisectOnError: false,
    maximumRetryAttempts: -1,
    maximumRecordAgeSeconds: -1,
    filters: [],
  } as const;
  const invoke = async (_: string, event: unknown) => {
    seen.push(...Event.parse(event).Records.map(({ dynamodb }) => Number(dynamodb.SequenceNumber)));
    return { ok: true, payload: null } as const;
  };
  const deps = { dynamodbUrl, s3Url: 'http://127.0.0.1:1', invoke, checkpoints, ...(writes && { writes }), report };
  closedAfterTest(runStreamMapping(spec, deps));
  return { seen, report };
};

const startCheckpoints = async () => closedAfterTest(openCheckpoints(await temporaryDirectory()));

test('child shards are read after their parent, however the shards are listed', async () => {
  const stream = await serveStream({
    grandchild: { parent: 'left', records: [7, 8], isOpen: true },
    left: { parent: 'root', records: [4, 5] },
    root: { parent: 'trimmed', records: [1, 2, 3] },
    right: { parent: 'root', records: [6], isOpen: true },
  });
  const { seen } = run(stream.url, await startCheckpoints());
  await eventually(() => expect(seen).toHaveLength(8));
  expect(seen.slice(0, 3)).toEqual([1, 2, 3]);
  expect(seen.filter((number) => [4, 5, 7, 8].includes(number))).toEqual([4, 5, 7, 8]);
  expect(seen).toContain(6);
});

test('a position that has been trimmed means the oldest change', async () => {
  const checkpoints = await startCheckpoints();
  checkpoints.set('mapping', `${StreamArn}/root`, '3');
  const stream = await serveStream({ root: { records: [10, 11], isOpen: true } });
  const { seen, report } = run(stream.url, checkpoints);
  await eventually(() => expect(seen).toEqual([10, 11]));
  expect(report).not.toHaveBeenCalled();
});

test('an error of the stream is reported once, and reading continues at the last position', async () => {
  let calls = 0;
  const stream = await serveStream({ root: { records: [1, 2], isOpen: true } }, (action) => {
    if (action !== 'GetRecords') return;
    calls += 1;
    if (calls === 2 || calls === 3) throw new AwsError('ExpiredIteratorException', 'It is too old.');
  });
  const { seen, report } = run(stream.url, await startCheckpoints());
  await eventually(() => expect(calls).toBeGreaterThan(4));
  expect(seen).toEqual([1, 2]);
  expect(report.mock.calls).toEqual([[expect.stringMatching(/mapping tries again: .*ExpiredIteratorException$/)]]);
});

test('after a write during a read, the next read comes at once, however long the stream was quiet', async () => {
  const writes = new EventEmitter();
  const readsMs: number[] = [];
  // Each write comes too late for the read that is under way. With a pause after it, the last ones would be two seconds apart.
  const stream = await serveStream({ root: { records: [], isOpen: true } }, (action) => {
    if (action !== 'GetRecords') return;
    readsMs.push(performance.now());
    writes.emit('write');
  });
  run(stream.url, await startCheckpoints(), writes);
  await eventually(() => expect(readsMs.length).toBeGreaterThan(30));
  const [last = 0, ...before] = readsMs.slice(0, 31).reverse();
  const gapsMs = before.slice(0, 4).map((atMs, n) => ([last, ...before][n] ?? 0) - atMs);
  expect(Math.min(...gapsMs)).toBeLessThan(1_000);
});
