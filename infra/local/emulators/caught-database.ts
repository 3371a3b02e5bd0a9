import { randomUUID } from 'node:crypto';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync, type StatementSync } from 'node:sqlite';
import { openKept } from '../open-kept.ts';
import type { OutgoingStore } from './publisher.ts';

const outgoingTable = 'CREATE TABLE IF NOT EXISTS outgoing (messageId TEXT PRIMARY KEY, entry TEXT NOT NULL)';

/**
 * The file in which an emulator keeps what it caught, and the notifications that it has yet to send.
 * @throws StartFailure when the file cannot be used
 */
export const openCaughtDatabase = (
  dataDirectory: string,
  { name, caught, schema }: { readonly name: string; readonly caught: string; readonly schema: string },
): DatabaseSync => {
  const file = join(dataDirectory, name);
  return openKept(dataDirectory, `${caught} cannot be kept in ${file}`, () => {
    mkdirSync(dataDirectory, { recursive: true });
    const database = new DatabaseSync(file);
    database.exec(schema);
    database.exec(outgoingTable);
    return database;
  });
};

/** The notifications that are to be sent. */
export const outgoingIn = <News extends { readonly eventType: string }>(
  database: DatabaseSync,
): OutgoingStore<News> => {
  const all = database.prepare('SELECT entry FROM outgoing');
  const save = database.prepare('INSERT OR REPLACE INTO outgoing (messageId, entry) VALUES (?, ?)');
  const forget = database.prepare('DELETE FROM outgoing WHERE messageId = ?');

  return {
    outgoing: () => all.all().map(({ entry }) => JSON.parse(String(entry))),
    saveOutgoing: (outgoing) => {
      if (outgoing.notifications.length === 0) forget.run(outgoing.messageId);
      else save.run(outgoing.messageId, JSON.stringify(outgoing));
    },
  };
};

/** A JSON list of patterns for `LIKE … ESCAPE '\\'`: one for each word that a text must contain. */
export const likePatterns = (words: readonly string[]): string =>
  JSON.stringify(words.map((word) => `%${word.replaceAll(/[\\%_]/g, '\\$&')}%`));

/** Changes with each write of this process; `total_changes()` begins at 0 in each. */
export const versionOf = (totalChanges: StatementSync): (() => string) => {
  const start = randomUUID();
  return () => `${start}-${totalChanges.get()?.['count']}`;
};
