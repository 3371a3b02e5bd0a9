import { mkdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { openKept } from './open-kept.ts';

/** The position of each stream mapping in each shard. A position survives a SIGKILL once `set` returns. */
export interface Checkpoints {
  get(mappingId: string, shard: string): string | undefined;
  set(mappingId: string, shard: string, sequenceNumber: string): void;
  /** The sequence number up to which each of these mappings has passed a shard; 0 when one has not begun. */
  passed(mappingIds: readonly string[], shard: string): number;
  close(): void;
}

/** @throws StartFailure when the file in the data directory is unusable. */
export const openCheckpoints = (dataDirectory: string): Checkpoints => {
  const file = join(dataDirectory, 'checkpoints.sqlite');
  const database = openKept(dataDirectory, `The checkpoints in ${file} cannot be opened`, () => open(file));
  const read = database.prepare('SELECT position FROM checkpoints WHERE mapping = ? AND shard = ?');
  const write = database.prepare('INSERT OR REPLACE INTO checkpoints (mapping, shard, position) VALUES (?, ?, ?)');
  const get: Checkpoints['get'] = (mappingId, shard) => read.get(mappingId, shard)?.['position']?.toString();
  return {
    get,
    set: (mappingId, shard, sequenceNumber) => void write.run(mappingId, shard, sequenceNumber),
    passed: (mappingIds, shard) =>
      Math.min(Number.MAX_SAFE_INTEGER, ...mappingIds.map((mappingId) => Number(get(mappingId, shard) ?? 0))),
    close: () => database.close(),
  };
};

const open = (file: string): DatabaseSync => {
  mkdirSync(dirname(file), { recursive: true });
  const database = new DatabaseSync(file);
  database.exec(`
    PRAGMA journal_mode = WAL;
    PRAGMA synchronous = NORMAL;
    CREATE TABLE IF NOT EXISTS checkpoints (
      mapping TEXT, shard TEXT, position TEXT NOT NULL, PRIMARY KEY (mapping, shard)
    ) WITHOUT ROWID;
  `);
  return database;
};
