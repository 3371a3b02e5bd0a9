import { expect, it } from 'vitest';
import type { TableSpec } from '../blueprint.ts';
import type { WireItem } from './dynamodb-parts.ts';
import { itemBytes, loadsOfWrite, readUnitsOf } from './dynamodb-units.ts';

const table: TableSpec = {
  name: 't',
  arn: 'arn',
  attributes: [],
  key: { partition: 'PK', sort: 'SK' },
  indexes: [{ name: 'GSI1', key: { partition: 'GSI1PK', sort: 'GSI1SK' }, projection: 'ALL' }],
};

it.each<[WireItem, number]>([
  [{ ab: { S: 'é' } }, 4],
  [{ n: { N: '12345' } }, 5],
  [{ n: { N: '-1.5' } }, 3],
  [{ b: { B: Buffer.from('abc').toString('base64') } }, 4],
  [{ t: { BOOL: true }, n: { NULL: true } }, 4],
  [{ s: { SS: ['ab', 'c'] } }, 4],
  [{ l: { L: [{ S: 'ab' }] } }, 7],
  [{ m: { M: { k: { S: 'ab' } } } }, 8],
])('%j has %i bytes', (item, bytes) => {
  expect(itemBytes(item)).toBe(bytes);
});

it.each([
  [0, 1],
  [4_000, 1],
  [4_096, 2],
])('an item of %i bytes and a name costs %i units to read consistently, and half of that otherwise', (size, units) => {
  const item = { a: { S: 'x'.repeat(size) } };
  expect([readUnitsOf(item, true), readUnitsOf(item, false)]).toEqual([units, units / 2]);
});

const key = { PK: { S: 'p' }, SK: { S: 's' } };
const listed = (at: string, size = 0) => ({
  ...key,
  GSI1PK: { S: at },
  GSI1SK: { S: '1' },
  text: { S: 'x'.repeat(size) },
});
const inTable = (units: number) => ({ partition: 'p', units });
const inIndex = (partition: string, units: number) => ({ index: 'GSI1', partition, units });

it.each<[string, WireItem | undefined, WireItem | undefined, readonly unknown[]]>([
  ['a new item costs its size in the table', undefined, key, [inTable(1)]],
  ['a new item costs its size in the index too', undefined, listed('a', 2_000), [inTable(2), inIndex('a', 2)]],
  ['a change costs the larger size', listed('a', 3_000), listed('a', 0), [inTable(3), inIndex('a', 3)]],
  ['no change costs nothing in the index', listed('a'), listed('a'), [inTable(1)]],
  [
    'another index key costs its size under both',
    listed('a', 2_000),
    listed('b', 0),
    [inTable(2), inIndex('a', 2), inIndex('b', 1)],
  ],
  ['leaving the index costs its size there', listed('a'), key, [inTable(1), inIndex('a', 1)]],
  ['deleting nothing costs a unit', undefined, undefined, [inTable(1)]],
])('%s', (_, before, after, loads) => {
  expect(loadsOfWrite(table, key, [before, after], { isTransacted: false })).toEqual(loads);
});

it('an index of keys only costs its keys, and nothing while they stay the same', () => {
  const keysOnly = {
    ...table,
    indexes: table.indexes.map((index) => ({ ...index, projection: 'KEYS_ONLY' as const })),
  };
  const loads = (before: WireItem | undefined, after: WireItem) =>
    loadsOfWrite(keysOnly, key, [before, after], { isTransacted: false });
  expect(loads(undefined, listed('a', 2_000))).toEqual([inTable(2), inIndex('a', 1)]);
  expect(loads(listed('a', 2_000), listed('a', 0))).toEqual([inTable(2)]);
});

it('a transaction costs twice as much in the table', () => {
  const loads = loadsOfWrite(table, key, [undefined, listed('a')], { isTransacted: true });
  expect(loads).toEqual([inTable(2), inIndex('a', 1)]);
});
