import { DatabaseSync } from 'node:sqlite';
import { marshall } from '@aws-sdk/util-dynamodb';
import { textOf, type WireItem } from '../../infra/local/emulators/dynamodb-parts.ts';
import { itemBytes, projected } from '../../infra/local/emulators/dynamodb-units.ts';
import type { Item } from '../../shared/table/table.ts';
import { tableSpec, type World } from '../world.ts';

const mostTries = 8;
const lockTimeoutMs = 60_000;

/** Tries again what may be done twice: with many rows, the emulator's upkeep takes longer than a call may. */
export const persistent = async <T>(work: () => Promise<T>, tries = mostTries): Promise<T> => {
  try {
    return await work();
  } catch (thrown) {
    if (tries > 1) return persistent(work, tries - 1);
    throw thrown;
  }
};

// The private tables of dynoxide's file, as in the pinned version 1.2.1.
const putItem = `INSERT OR REPLACE INTO "${tableSpec.name}" (pk, sk, item_json, item_size) VALUES (?, ?, ?, ?)`;
const putInIndex = (index: string): string =>
  `INSERT OR REPLACE INTO "${tableSpec.name}::gsi::${index}" (gsi_pk, gsi_sk, table_pk, table_sk, item_json) VALUES (?, ?, ?, ?, ?)`;

const wireItemOf = (item: Item): WireItem =>
  Object.fromEntries(
    Object.entries(marshall(item, { removeUndefinedValues: true })).map(([name, value]) => [
      name,
      value.B ? { B: Buffer.from(value.B).toString('base64') } : value,
    ]),
  );

/** A key attribute as the file has it. */
const keyText = (item: WireItem, name = ''): string | undefined => {
  const text = textOf(item[name]);
  return text === undefined ? undefined : `S:${text}`;
};

/** Writes new rows into the emulator's file, a hundred times as fast as calls would, and without changes on the stream. */
export const loadRows = ({ databaseFile }: World, items: readonly Item[]): void => {
  const database = new DatabaseSync(databaseFile, { timeout: lockTimeoutMs });
  const put = database.prepare(putItem);
  const indexes = tableSpec.indexes.map((index) => ({ index, put: database.prepare(putInIndex(index.name)) }));
  const { partition, sort } = tableSpec.key;
  database.exec('BEGIN IMMEDIATE');
  for (const item of items.map(wireItemOf)) {
    const key = [keyText(item, partition) ?? '', keyText(item, sort) ?? ''] as const;
    put.run(...key, JSON.stringify(item), itemBytes(item));
    for (const { index, put: putRow } of indexes) {
      const [hash, range] = [keyText(item, index.key.partition), keyText(item, index.key.sort)];
      if (hash === undefined || range === undefined) continue;
      putRow.run(hash, range, ...key, JSON.stringify(projected(item, index, tableSpec.key)));
    }
  }
  database.exec('COMMIT');
  database.close();
};
