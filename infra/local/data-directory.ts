import { existsSync, mkdirSync, readdirSync, rmSync, statfsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { complain, reasonOf } from './complaints.ts';
import { StartFailure } from './start-failure.ts';

const lockFile = 'stack.lock';

/** The assembly in a data directory. It is made of sources and settings, and holds no data. */
export const assemblyFolder = 'cdk.out';

/**
 * Locks a data directory for this process, and creates it if missing. The operating system releases the lock when the process ends, even by SIGKILL.
 * @throws StartFailure when it is unusable, another stack holds it, or it contains files that are not ours
 */
export const takeDataDirectory = (
  directory: string,
  { isFresh }: { readonly isFresh: boolean },
): { release(): void } => {
  const entries = entriesOf(directory);
  if (entries.length > 0 && !existsSync(join(directory, lockFile))) {
    throw new StartFailure(
      `${directory} holds other files. Choose an empty directory for the data: npm start -- --data-dir ./data`,
    );
  }
  const lock = lockedFile(directory);
  if (isFresh) {
    for (const entry of entries)
      if (!entry.startsWith(lockFile) && entry !== assemblyFolder)
        rmSync(join(directory, entry), { recursive: true, force: true });
  }
  return { release: () => lock.close() };
};

/** Creates the directory if missing. */
const entriesOf = (directory: string): readonly string[] => {
  try {
    makeDirectory(directory);
    return readdirSync(directory);
  } catch (thrown) {
    throw new StartFailure(`The data directory ${directory} cannot be created or read: ${reasonOf(thrown)}`);
  }
};

/** One folder after the other: with `recursive`, Node tries for ever where a file system takes no folders, as `/proc`. */
const makeDirectory = (directory: string): void => {
  if (existsSync(directory)) return;
  makeDirectory(dirname(directory));
  try {
    mkdirSync(directory);
  } catch (thrown) {
    // Another start may have made it meanwhile.
    if (!existsSync(directory)) throw thrown;
  }
};

/** Less than that, and nothing more can be written. */
const leastFreeBytes = 1024 * 1024;

const isRefused = (thrown: unknown): thrown is Error & { readonly path: string } =>
  thrown instanceof Error &&
  'path' in thrown &&
  'code' in thrown &&
  ['EACCES', 'EPERM', 'EROFS'].includes(String(thrown.code));

/**
 * What a start that failed reports. On a full disk, or where another user has made some of the files, any part may fail, each in words of its own.
 */
export const orUnusable = (thrown: unknown, directory: string): unknown => {
  if (!existsSync(directory)) return thrown;
  if (isRefused(thrown) && `${thrown.path}/`.startsWith(`${directory}/`))
    return new StartFailure(
      `${thrown.path} cannot be read or changed by this user. Choose another place: npm start -- --data-dir <path>`,
    );
  const full = fullDisk(directory);
  return full === undefined ? thrown : new StartFailure(full);
};

/** What to say of a full disk. Undefined: there is space left. */
const fullDisk = (directory: string): string | undefined => {
  const { bavail, bsize } = statfsSync(directory);
  return bavail * bsize >= leastFreeBytes
    ? undefined
    : `The disk of ${directory} is full. Free some space, or choose another place: npm start -- --data-dir <path>`;
};

/** Where requests fail because the disk is full, the terminal says so: functions cannot, because their logs are on it. */
export const complainOfFullDisk = (directory: string, { status }: { readonly status: number }): void => {
  const full = status >= 500 && existsSync(directory) ? fullDisk(directory) : undefined;
  if (full !== undefined) complain(full, full);
};

const lockedFile = (directory: string): DatabaseSync => {
  try {
    const lock = new DatabaseSync(join(directory, lockFile));
    lock.exec('PRAGMA journal_mode = DELETE; CREATE TABLE IF NOT EXISTS held (x); BEGIN EXCLUSIVE');
    return lock;
  } catch (thrown) {
    const reason = reasonOf(thrown);
    throw new StartFailure(
      reason.includes('locked')
        ? `Another stack is running with ${directory}. Stop it, or choose another directory: npm start -- --data-dir ./data`
        : `The data directory ${directory} cannot be used: ${reason}. Choose another directory: npm start -- --data-dir ./data`,
    );
  }
};
