import { findPackageJSON } from 'node:module';
import { dirname, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { pathToFileURL } from 'node:url';
import { type BuildAppOptions, buildApp } from 'fauxqs';

type Stores = NonNullable<BuildAppOptions['stores']>;
type Store = Stores['sqsStore'];
type Queue = NonNullable<ReturnType<Store['getQueue']>>;
type Persistence = NonNullable<Store['persistence']>;

export type SqsApp = ReturnType<typeof buildApp>;
export type SqsStore = Store;

/** A queue in the emulator's memory. */
export type SqsQueue = Queue;

// `startFauxqs` listens on every network interface, so its parts are assembled here. They are private modules: the version is pinned.
const part = (file: string): Promise<unknown> => {
  const folder = dirname(findPackageJSON('fauxqs', import.meta.url) ?? '');
  return import(pathToFileURL(join(folder, 'dist', file)).href);
};

const { SqsStore, SqsQueue } = (await part('sqs/sqsStore.js')) as {
  SqsStore: new () => Store;
  SqsQueue: new (...spec: Parameters<Store['createQueue']>) => Queue;
};
const { SnsStore } = (await part('sns/snsStore.js')) as { SnsStore: new () => Stores['snsStore'] };
const { S3Store } = (await part('s3/s3Store.js')) as { S3Store: new () => Stores['s3Store'] };
const { PersistenceManager } = (await part('persistence.js')) as {
  PersistenceManager: new (dataDirectory: string) => Persistence;
};

/**
 * Delays and visibility timeouts end up to a tenth of a second late. The emulator itself looks for them fifty times a second in each queue that is
 * polled, which was most of what a stack did while nothing happened.
 */
const delaysEndEveryMs = 100;
Object.assign(SqsQueue.prototype, {
  startPollTimerIfNeeded(this: { pollTimer?: NodeJS.Timeout; processTimers(): void }) {
    this.pollTimer ??= setInterval(() => this.processTimers(), delaysEndEveryMs);
  },
});

/**
 * With SQLite's default, every message would wait for the disk several times. What is written survives a SIGKILL, but not a loss of power.
 * The consumers of the last run are gone, so the messages they held become visible at once, before their visibility timeout ends.
 */
const prepare = (persistence: Persistence): DatabaseSync => {
  const database: unknown = Reflect.get(persistence, 'db');
  if (!(database instanceof DatabaseSync)) throw new Error('fauxqs keeps its messages elsewhere');
  database.exec('PRAGMA synchronous = NORMAL');
  database.exec('UPDATE sqs_messages SET visibility_deadline = 1 WHERE receipt_handle IS NOT NULL');
  return database;
};

/** `given` with SQS's defaults filled in. */
export const fullAttributes = (given: Readonly<Record<string, string>>): Record<string, string> =>
  new SqsQueue('', '', '', given).attributes;

/** The emulator with the directory's queues and messages, not listening yet. Throws when they cannot be read. */
export const buildSqs = (dataDirectory: string): { app: SqsApp; store: SqsStore; database: DatabaseSync } => {
  const stores: Stores = { sqsStore: new SqsStore(), snsStore: new SnsStore(), s3Store: new S3Store() };
  const { sqsStore: store } = stores;
  const persistence = new PersistenceManager(dataDirectory);
  const database = prepare(persistence);
  // Load before attaching persistence: otherwise loading rewrites every queue, which deletes its messages.
  persistence.load(store, stores.snsStore, stores.s3Store);
  store.persistence = persistence;
  for (const queue of store.allQueues()) queue.persistence = persistence;
  // Without a host, queue URLs use the caller's address; `*.localhost` does not resolve on every machine.
  store.host = '';
  const app = buildApp({ logger: false, stores });
  app.addHook('preClose', async () => persistence.close());
  return { app, store, database };
};
