import { expect, it } from 'vitest';
import { type IndexKey, type ItemKey, indexKeys, itemKeys, partitions } from '../shared/table/keys.ts';
import { expectTableIn } from './document-table.ts';

type Key = Partial<ItemKey & IndexKey>;
type Builder = (...parts: never[]) => Key;

/** A key with the names of its parts instead of their values: `A#{account}#MSG`. */
const shapeOf = (build: Builder): Key => {
  const names =
    /^\(([^)]*)\)/
      .exec(build.toString())?.[1]
      ?.split(',')
      .map((name) => name.trim()) ?? [];
  return build(...(names.map((name) => `{${name}}`) as never[]));
};

const indexed = new Map(Object.entries<Builder>(indexKeys));

const rows = Object.entries<Builder>(itemKeys).map(([item, build]) => {
  const { PK, SK } = shapeOf(build);
  const inIndex = indexed.get(item);
  const { GSI1PK, GSI1SK } = inIndex ? shapeOf(inIndex) : {};
  return `| ${item} | \`${PK}\` | \`${SK}\` | ${inIndex ? `\`${GSI1PK}\` / \`${GSI1SK}\`` : ''} |`;
});

it('is listed in the README as it is', () => {
  expectTableIn('README.md', '| item | PK | SK | GSI1 |', rows);
});

it('gives every kind of item distinct keys', () => {
  const shapes = Object.values<Builder>(itemKeys).map((build) => shapeOf(build));
  const patterns = shapes.map(({ PK = '', SK = '' }) => `${PK} ${SK}`.replaceAll(/\{\w+\}/g, '*'));
  expect(new Set(patterns).size).toBe(patterns.length);
});

it('puts an account’s items under its id, or under an id that only the account knows; payers’ counters belong to no account', () => {
  for (const { PK = '' } of Object.values<Builder>(itemKeys).map(shapeOf)) {
    expect(PK).toMatch(
      /^(A#\{account\}|KEY#\{hash\}|KEYID#\{id\}|CONTACT#\{id\}|WH#\{webhook\}|CS#\{session\}|PAY#\{id\}|RATE#\{hash\}|SENDER#\{hash\})/,
    );
  }
});

it('reads only partitions that contain items', () => {
  const written = [...Object.values<Builder>(itemKeys), ...Object.values<Builder>(indexKeys)].map(shapeOf);
  const known = new Set(written.flatMap(({ PK, GSI1PK }) => [PK, GSI1PK]));
  for (const partition of Object.values<Builder>(partitions).map(shapeOf)) {
    expect(known).toContain(partition.PK ?? partition.GSI1PK);
  }
});
