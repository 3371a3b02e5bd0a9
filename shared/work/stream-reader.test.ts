import type { DynamoDBRecord, DynamoDBStreamEvent } from 'aws-lambda';
import { describe, expect, it } from 'vitest';
import { startList } from '../../test/webhook-calls.ts';
import { type Change, changeReader, type FailedCall, type Failure, streamReader } from './stream-reader.ts';

const record: DynamoDBRecord = {
  eventID: '1',
  dynamodb: {
    SequenceNumber: '123',
    ApproximateCreationDateTime: 1_790_000_000.5,
    NewImage: {
      PK: { S: 'A#1' },
      count: { N: '12' },
      sealed: { B: 'AQID' },
      tags: { SS: ['a', 'b'] },
      shards: { NS: ['1', '2'] },
      list: { L: [{ BOOL: true }, { NULL: true }] },
      content: { M: { B: { S: 'a field that is named like a type' } } },
    },
  },
};

const change: Change = {
  before: undefined,
  after: {
    PK: 'A#1',
    count: 12,
    sealed: new Uint8Array([1, 2, 3]),
    tags: new Set(['a', 'b']),
    shards: new Set([1, 2]),
    list: [true, null],
    content: { B: 'a field that is named like a type' },
  },
  sequence: '123'.padStart(40, '0'),
  atMs: 1_790_000_000_500,
};

const writtenMs = change.atMs;
const invokedFunctionArn = 'arn:aws:lambda:eu-west-1:123456789012:function:prod-work-outboxroutechanges';

interface Wishes {
  readonly read?: (changes: readonly Change[]) => void;
  /** Of every change. */
  readonly failure?: Failure;
  readonly runsMs?: readonly number[];
}

/** Runs of the reader at these times. Returns what the last one leaves, and what they parked. */
const readChanges = async (event: DynamoDBStreamEvent, { read, failure, runsMs = [writtenMs] }: Wishes) => {
  const { jobs: parked, send } = startList<FailedCall>();
  let nowMs = 0;
  const reader = changeReader({
    read: async (changes) => {
      read?.(changes);
      return new Map(failure ? changes.map((one) => [one, failure]) : []);
    },
    parkedJobs: { send },
    clock: () => nowMs,
  });
  let left: string[] = [];
  for (nowMs of runsMs) {
    const { batchItemFailures } = await reader(event, { invokedFunctionArn });
    left = batchItemFailures.map(({ itemIdentifier }) => itemIdentifier);
  }
  return { left, parked };
};

it('gives a change with every kind of value as the table has it', async () => {
  const seen: unknown[] = [];
  const event = { Records: [record] };
  await streamReader(async (changes) => void seen.push(...changes))(event);
  await readChanges(event, { read: (changes) => void seen.push(...changes) });
  expect(seen).toEqual([change, change]);
});

const unreadable = {
  dynamodb: { SequenceNumber: '124', ApproximateCreationDateTime: 1_790_000_000.5, NewImage: { PK: { X: 'no type' } } },
} as unknown as DynamoDBRecord;

it('reports a change that it cannot read, and gives the others', async () => {
  const seen: Change[] = [];
  const { left } = await readChanges(
    { Records: [record, unreadable] },
    { read: (changes) => void seen.push(...changes) },
  );
  expect(seen).toEqual([change]);
  expect(left).toEqual(['124']);
});

describe('a change whose failure does not pass', () => {
  const event = { Records: [record, unreadable] };
  const failure = { isPassing: false };

  it('is repeated for a minute, then parked as a call of the function, and holds up nothing any more', async () => {
    const soon = await readChanges(event, { failure, runsMs: [writtenMs, writtenMs + 59_999] });
    expect(soon).toEqual({ left: ['123', '124'], parked: [] });
    const { left, parked } = await readChanges(event, { failure, runsMs: [writtenMs, writtenMs + 60_000] });
    expect(left).toEqual([]);
    const requestContext = { functionArn: invokedFunctionArn };
    expect(parked).toEqual(
      event.Records.map((one) => ({ requestContext, requestPayload: { Records: [one], isRepeated: true } })),
    );
  });

  it('is parked after a minute, regardless of what other shards bring meanwhile', async () => {
    const { jobs: parked, send } = startList<FailedCall>();
    let nowMs = writtenMs;
    const reader = changeReader({
      read: async (changes) => new Map(changes.flatMap((one) => (one.atMs === writtenMs ? [[one, failure]] : []))),
      parkedJobs: { send },
      clock: () => nowMs,
    });
    const other = { dynamodb: { SequenceNumber: '9', ApproximateCreationDateTime: 1_790_000_001 } };
    for (nowMs of [writtenMs, writtenMs + 60_000]) {
      await reader(event, { invokedFunctionArn });
      expect(await reader({ Records: [other] }, { invokedFunctionArn })).toEqual({ batchItemFailures: [] });
    }
    expect(parked).toHaveLength(2);
  });

  it('is repeated once where it is read late, after an outage', async () => {
    const late = await readChanges(event, { failure, runsMs: [writtenMs + 3_600_000] });
    expect(late).toEqual({ left: ['123', '124'], parked: [] });
    const again = await readChanges(event, { failure, runsMs: [writtenMs + 3_600_000, writtenMs + 3_601_000] });
    expect([again.left, again.parked.length]).toEqual([[], 2]);
  });

  it('is parked once: not while one before it is held, and not when a person has it repeated', async () => {
    const runsMs = [writtenMs, writtenMs + 60_000];
    const held = await readChanges(event, { failure: { isPassing: true }, runsMs });
    expect(held).toEqual({ left: ['123', '124'], parked: [] });
    const { parked } = await readChanges(event, { failure, runsMs });
    for (const { requestPayload } of parked)
      expect(await readChanges(requestPayload, { failure, runsMs })).toMatchObject({
        left: [expect.any(String)],
        parked: [],
      });
  });

  it('is held where it cannot be parked', async () => {
    const reader = changeReader({
      read: async () => new Map(),
      parkedJobs: { send: () => Promise.reject(new Error('no queue')) },
      clock: () => writtenMs + 60_000,
    });
    for (let run = 0; run < 2; run += 1)
      expect(await reader(event, { invokedFunctionArn })).toEqual({ batchItemFailures: [{ itemIdentifier: '124' }] });
  });
});
