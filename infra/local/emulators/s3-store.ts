import { createHash, randomUUID } from 'node:crypto';
import { createReadStream, createWriteStream, mkdirSync, openSync, readdirSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { dayMs } from '../../../shared/kit/time-units.ts';
import type { BucketSpec } from '../blueprint.ts';
import { openKept } from '../open-kept.ts';

/** A stored object. `file` holds its bytes. */
export interface StoredObject {
  readonly key: string;
  readonly file: string;
  readonly bytes: number;
  readonly etag: string;
  readonly contentType: string;
  readonly contentEncoding: string | null;
  readonly storedMs: number;
}

/** What its uploader says of an object. */
export type ObjectHeaders = Pick<StoredObject, 'contentType' | 'contentEncoding'>;

export interface Written {
  readonly file: string;
  readonly bytes: number;
  readonly etag: string;
}

const layout = `PRAGMA journal_mode = WAL;
  CREATE TABLE IF NOT EXISTS objects (bucket TEXT, key TEXT, file TEXT, bytes INTEGER, etag TEXT, contentType TEXT, storedMs INTEGER, PRIMARY KEY (bucket, key));
  CREATE TABLE IF NOT EXISTS parts (upload TEXT, number INTEGER, file TEXT, bytes INTEGER, etag TEXT, storedMs INTEGER, PRIMARY KEY (upload, number));`;

const open = (folder: string): DatabaseSync => {
  mkdirSync(folder, { recursive: true });
  const database = new DatabaseSync(join(folder, 'objects.db'));
  database.exec(layout);
  const columns = database.prepare("SELECT name FROM pragma_table_info('objects')").all();
  if (!columns.some(({ name }) => name === 'contentEncoding'))
    database.exec('ALTER TABLE objects ADD COLUMN contentEncoding TEXT');
  return database;
};

/**
 * Objects of all buckets: their bytes in files of a folder, and the list of them in a database, which changes only after the bytes are written.
 * @throws StartFailure when the database cannot be used
 */
export const openS3Store = (folder: string) => {
  const database = openKept(dirname(folder), `The objects in ${folder} cannot be opened`, () => open(folder));
  const rows = <Row>(sql: string, ...values: (string | number)[]): Row[] =>
    database.prepare(sql).all(...values) as Row[];
  const run = (sql: string, ...values: (string | number | null)[]): void => void database.prepare(sql).run(...values);
  const pathOf = (file: string): string => join(folder, file);
  const drop = (files: readonly { readonly file: string }[]): void => {
    for (const { file } of files) rmSync(pathOf(file), { force: true });
  };

  // Bytes whose write was cut off by a kill.
  const known = new Set(rows<Written>('SELECT file FROM objects UNION SELECT file FROM parts').map(({ file }) => file));
  drop(readdirSync(folder).flatMap((file) => (file.startsWith('objects.db') || known.has(file) ? [] : [{ file }])));

  const find = (bucket: string, key: string): StoredObject | undefined =>
    rows<StoredObject>('SELECT * FROM objects WHERE bucket = ? AND key = ?', bucket, key)[0];

  const parts = (upload: string): (Written & { number: number })[] =>
    rows('SELECT * FROM parts WHERE upload = ? ORDER BY number', upload);

  const endUpload = (upload: string): void => {
    const gone = parts(upload);
    run('DELETE FROM parts WHERE upload = ?', upload);
    drop(gone);
  };

  /** Writes bytes that belong to no object yet. Those of a body that ends too early, or for which the disk has no space, are gone. */
  const write = async (body: Readable): Promise<Written> => {
    const file = randomUUID();
    const hash = createHash('md5');
    let bytes = 0;
    const counted = async function* (chunks: AsyncIterable<Buffer>) {
      for await (const chunk of chunks) {
        hash.update(chunk);
        bytes += chunk.length;
        yield chunk;
      }
    };
    try {
      await pipeline(body, counted, createWriteStream('', { fd: openSync(pathOf(file), 'w') }));
    } catch (thrown) {
      drop([{ file }]);
      throw thrown;
    }
    return { file, bytes, etag: hash.digest('hex') };
  };

  const remove = (bucket: string, key: string): void => {
    const before = find(bucket, key);
    run('DELETE FROM objects WHERE bucket = ? AND key = ?', bucket, key);
    if (before) drop([before]);
  };

  const put = (bucket: string, key: string, { file, bytes, etag }: Written, headers: ObjectHeaders): void => {
    const before = find(bucket, key);
    const { contentType, contentEncoding } = headers;
    run(
      'INSERT OR REPLACE INTO objects VALUES (?, ?, ?, ?, ?, ?, ?, ?)',
      ...[bucket, key, file, bytes, etag, contentType, Date.now(), contentEncoding],
    );
    if (before) drop([before]);
  };

  return {
    find,
    write,
    put,
    remove,

    read: ({ file }: StoredObject, from: number, to: number): Readable =>
      createReadStream(pathOf(file), { start: from, end: to }),

    list: (bucket: string, prefix: string, after: string, most: number): StoredObject[] =>
      rows<StoredObject>('SELECT * FROM objects WHERE bucket = ? AND key > ? ORDER BY key', bucket, after)
        .filter(({ key }) => key.startsWith(prefix))
        .slice(0, most),

    putPart: (upload: string, number: number, { file, bytes, etag }: Written): void => {
      const before = parts(upload).filter((part) => part.number === number);
      run('INSERT OR REPLACE INTO parts VALUES (?, ?, ?, ?, ?, ?)', upload, number, file, bytes, etag, Date.now());
      drop(before);
    },

    parts,
    endUpload,

    /** The bytes of these parts, one after the other. */
    joined: (files: readonly Written[]): Readable =>
      Readable.from(
        (async function* () {
          for (const { file } of files) yield* createReadStream(pathOf(file));
        })(),
      ),

    /** Deletes what the lifecycle rules of its bucket say is over. AWS does that once a day. */
    expire: (buckets: readonly BucketSpec[], nowMs: number): void => {
      const rules = buckets.flatMap(({ name, expirations }) => expirations.map((rule) => ({ name, ...rule })));
      for (const { name, prefix, days } of rules) {
        const old = rows<StoredObject>(
          'SELECT * FROM objects WHERE bucket = ? AND storedMs <= ?',
          name,
          nowMs - days * dayMs,
        );
        for (const { key } of old.filter((object) => object.key.startsWith(prefix))) remove(name, key);
      }
      const stale = rows<{ upload: string }>('SELECT DISTINCT upload FROM parts WHERE storedMs < ?', nowMs - dayMs);
      for (const { upload } of stale) endUpload(upload);
    },

    close: (): void => database.close(),
  };
};

export type S3Store = ReturnType<typeof openS3Store>;
