import type { DynamoDBRecord } from 'aws-lambda';
import { expect, it } from 'vitest';
import { type Change, changeReader, streamReader } from './stream-reader.ts';

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

it('gives a change with every kind of value as the table has it', async () => {
  const seen: unknown[] = [];
  const event = { Records: [record] };
  await streamReader(async (changes) => void seen.push(...changes))(event);
  await changeReader(async (changes) => {
    seen.push(...changes);
    return new Set();
  })(event);
  expect(seen).toEqual([change, change]);
});

it('reports a change that it cannot read, and gives the others', async () => {
  const unreadable = { dynamodb: { SequenceNumber: '124', NewImage: { PK: { X: 'no type' } } } };
  const event = { Records: [record, unreadable as unknown as DynamoDBRecord] };
  const seen: Change[] = [];
  const { batchItemFailures } = await changeReader(async (changes) => {
    seen.push(...changes);
    return new Set();
  })(event);
  expect(seen).toEqual([change]);
  expect(batchItemFailures).toEqual([{ itemIdentifier: '124' }]);
});
