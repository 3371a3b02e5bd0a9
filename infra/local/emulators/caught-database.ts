import { randomUUID } from 'node:crypto';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync, type StatementSync } from 'node:sqlite';
import { StartFailure } from '../start-failure.ts';

/**
 * The file in which an emulator keeps what it caught.
 * @throws StartFailure when the file cannot be used
 */
export const openCaughtDatabase = (
  dataDirectory: string,
  { name, caught, schema }: { readonly name: string; readonly caught: string; readonly schema: string },
): DatabaseSync => {
  const file = join(dataDirectory, name);
  try {
    mkdirSync(dataDirectory, { recursive: true });
    const database = new DatabaseSync(file);
    database.exec(schema);
    return database;
  } catch (error) {
    throw new StartFailure(`${caught} cannot be kept in ${file}: ${error instanceof Error ? error.message : error}.`);
  }
};

/** A JSON list of patterns for `LIKE … ESCAPE '\\'`: one for each word that a text must contain. */
export const likePatterns = (words: readonly string[]): string =>
  JSON.stringify(words.map((word) => `%${word.replaceAll(/[\\%_]/g, '\\$&')}%`));

/** Changes with each write of this process; `total_changes()` begins at 0 in each. */
export const versionOf = (totalChanges: StatementSync): (() => string) => {
  const start = randomUUID();
  return () => `${start}-${totalChanges.get()?.['count']}`;
};
