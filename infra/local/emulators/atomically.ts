import type { DatabaseSync } from 'node:sqlite';

/** All writes of the work, or none. On a full disk SQLite ends the transaction itself. */
export const atomically = (database: DatabaseSync, work: () => void): void => {
  database.exec('BEGIN IMMEDIATE');
  try {
    work();
    database.exec('COMMIT');
  } catch (error) {
    if (database.isTransaction) database.exec('ROLLBACK');
    throw error;
  }
};
