import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import type { TableSpec } from '../infra/local/blueprint.ts';
import { type Dynamodb, startDynamodb } from '../infra/local/emulators/dynamodb.ts';

interface WorldDatabase {
  readonly dynamodb: Dynamodb;
  /** What the emulator keeps its tables in. */
  readonly file: string;
}

/** Databases of closed worlds, empty again: to start one takes longer than most tests. They end with this process. */
const idle = new Map<string, WorldDatabase[]>();

/** A database with this table, which is empty. */
export const takeDatabase = async (table: TableSpec): Promise<WorldDatabase> => {
  const known = idle.get(JSON.stringify(table))?.pop();
  if (known) return known;
  const dataDirectory = mkdtempSync(join(tmpdir(), 'database-'));
  process.once('exit', () => rmSync(dataDirectory, { recursive: true, force: true }));
  return {
    dynamodb: await startDynamodb({ dataDirectory, tables: [table] }),
    file: join(dataDirectory, 'dynamodb.sqlite'),
  };
};

/** Takes a database back, without its items and the changes of its stream. */
export const giveBack = (table: TableSpec, given: WorldDatabase): void => {
  // Private tables of dynoxide's file, as in the pinned version 1.2.1.
  const indexes = table.indexes.map(({ name }) => `${table.name}::gsi::${name}`);
  const database = new DatabaseSync(given.file, { timeout: 60_000 });
  for (const name of [table.name, ...indexes, '_stream_records']) database.exec(`DELETE FROM "${name}"`);
  database.close();
  const key = JSON.stringify(table);
  idle.set(key, [...(idle.get(key) ?? []), given]);
};
