import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
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
