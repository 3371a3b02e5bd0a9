import { createInterface } from 'node:readline';
import { Readable } from 'node:stream';
import {
  DeleteObjectCommand,
  GetObjectCommand,
  ListObjectsV2Command,
  NoSuchKey,
  type S3Client,
} from '@aws-sdk/client-s3';
import { InternalError } from '../../shared/kit/internal-error.ts';
import type { SubjectFiles } from '../../shared/table/data-subject/file-traces.ts';

/** The content of a file; undefined when it was deleted since it was listed, as an import does when it ends. */
const contentOf = async (s3: S3Client, Bucket: string, Key: string): Promise<Readable | undefined> => {
  try {
    const { Body } = await s3.send(new GetObjectCommand({ Bucket, Key }));
    if (Body instanceof Readable) return Body;
  } catch (thrown) {
    if (thrown instanceof NoSuchKey) return undefined;
    throw thrown;
  }
  throw new InternalError('a file of S3 cannot be read as a stream', {});
};

/** The files in a bucket, read a line at a time: an export may be larger than memory. */
export const openSubjectFiles = (s3: S3Client, Bucket: string): SubjectFiles => ({
  async *list(Prefix) {
    let after: string | undefined;
    do {
      const { Contents = [], IsTruncated } = await s3.send(
        new ListObjectsV2Command({ Bucket, Prefix, StartAfter: after }),
      );
      for (const { Key = '' } of Contents) yield Key;
      after = IsTruncated ? Contents.at(-1)?.Key : undefined;
    } while (after !== undefined);
  },

  async *lines(Key) {
    const input = await contentOf(s3, Bucket, Key);
    if (input) yield* createInterface({ input, crlfDelay: Number.POSITIVE_INFINITY });
  },

  remove: async (Key) => void (await s3.send(new DeleteObjectCommand({ Bucket, Key }))),
});
