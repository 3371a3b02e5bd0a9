import { createInterface } from 'node:readline';
import { Readable } from 'node:stream';
import { DeleteObjectCommand, GetObjectCommand, ListObjectsV2Command, type S3Client } from '@aws-sdk/client-s3';
import { InternalError } from '../../shared/kit/internal-error.ts';
import type { SubjectFiles } from '../../shared/table/data-subject/file-traces.ts';

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
    const { Body } = await s3.send(new GetObjectCommand({ Bucket, Key }));
    if (!(Body instanceof Readable)) throw new InternalError('a file of S3 cannot be read as a stream', {});
    yield* createInterface({ input: Body, crlfDelay: Number.POSITIVE_INFINITY });
  },

  remove: async (Key) => void (await s3.send(new DeleteObjectCommand({ Bucket, Key }))),
});
