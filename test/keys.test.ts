import { globSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import {
  type IndexKey,
  type ItemKey,
  indexKeys,
  itemKeys,
  partitions,
  type SlimKey,
  slimKeys,
} from '../shared/table/keys.ts';
import { expectTableIn } from './document-table.ts';

type Key = Partial<ItemKey & IndexKey & SlimKey>;
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
const slim = new Map(Object.entries<Builder>(slimKeys));

const cellOf = (hash = '', sort = '') => `\`${hash}\` / \`${sort}\``;

const rows = Object.entries<Builder>(itemKeys).map(([item, build]) => {
  const { PK, SK } = shapeOf(build);
  const keys = [indexed.get(item), slim.get(item)].filter((builder) => builder !== undefined).map(shapeOf);
  const cells = keys.map(({ GSI1PK, GSI1SK, GSI2PK, GSI2SK }) => cellOf(GSI1PK ?? GSI2PK, GSI1SK ?? GSI2SK));
  return `| ${item} | \`${PK}\` | \`${SK}\` | ${cells.join(', ')} |`;
});

it('is listed in the document of the architecture as it is', () => {
  expectTableIn('infra/ARCHITECTURE.md', '| item | PK | SK | GSI1, GSI2 |', rows);
});

it('no other source has key strings', () => {
  const sources = globSync('{functions,infra,shared}/**/*.ts').filter((file) => !/\.test\.ts$|fixture/.test(file));
  const withKeys = sources.filter((file) => /^(?! *(\*|\/[*/])).*['`][A-Z]+#/m.test(readFileSync(file, 'utf8')));
  expect(withKeys).toEqual(['shared/table/keys.ts']);
});

it('gives every kind of item distinct keys', () => {
  const shapes = Object.values<Builder>(itemKeys).map((build) => shapeOf(build));
  const patterns = shapes.map(({ PK = '', SK = '' }) => `${PK} ${SK}`.replaceAll(/\{\w+\}/g, '*'));
  expect(new Set(patterns).size).toBe(patterns.length);
});

it('puts an account’s items under its id, or under an id that only the account knows; payers’ counters belong to no account', () => {
  for (const { PK = '' } of Object.values<Builder>(itemKeys).map(shapeOf)) {
    expect(PK).toMatch(
      /^(A#\{account\}|KEYRING#\{account\}|KEY#\{hash\}|KEYID#\{id\}|CONTACT#\{id\}|WH#\{webhook\}|CS#\{session\}|PAY#\{id\}|REFUND#\{id\}|LOGO#\{id\}|PEOPLE$|P#\{person\}|MEMBERS#\{scope\}|SIGNIN#\{id\}|LINK#\{hash\}|SESSION#\{hash\}|TOKEN#\{hash\}|ACCESS#\{person\}|AUDIT#\{month\}|RATE#\{hash\}|SENDER#\{hash\})/,
    );
  }
});

it('reads only partitions that contain items', () => {
  const builders = [itemKeys, indexKeys, slimKeys].flatMap((keys) => Object.values<Builder>(keys));
  const known = new Set(builders.map(shapeOf).flatMap(({ PK, GSI1PK, GSI2PK }) => [PK, GSI1PK, GSI2PK]));
  for (const partition of Object.values<Builder>(partitions).map(shapeOf)) {
    expect(known).toContain(partition.PK ?? partition.GSI1PK ?? partition.GSI2PK);
  }
});
