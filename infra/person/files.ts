import { createInterface } from 'node:readline';
import { Readable } from 'node:stream';
import { DeleteObjectCommand, type S3Client } from '@aws-sdk/client-s3';
import { InternalError } from '../../shared/kit/internal-error.ts';
import type { SubjectFiles } from '../../shared/table/data-subject/file-traces.ts';
import { contentOf, keysIn } from '../replay/bucket-files.ts';

/** The files in a bucket, read a line at a time: an export may be larger than memory. An import is deleted when it ends, and has no lines then. */
export const openSubjectFiles = (s3: S3Client, Bucket: string): SubjectFiles => ({
  list: (prefix) => keysIn(s3, Bucket, prefix),

  async *lines(Key) {
    const input = await contentOf(s3, Bucket, Key);
    if (!input) return;
    if (!(input instanceof Readable)) throw new InternalError('a file of S3 cannot be read as a stream', {});
    yield* createInterface({ input, crlfDelay: Number.POSITIVE_INFINITY });
  },

  remove: async (Key) => void (await s3.send(new DeleteObjectCommand({ Bucket, Key }))),
});
