import { GetObjectCommand, ListObjectsV2Command, NoSuchKey, type S3Client } from '@aws-sdk/client-s3';
import { StartFailure } from '../local/start-failure.ts';
import type { Clients } from './clients.ts';

/**
 * The bucket with this id in the stacks of the stage.
 * @throws StartFailure when the stage has none
 */
export const bucketOf = async ({ find, stage }: Clients, id: 'failed-batches' | 'files'): Promise<string> => {
  const found = await find('AWS::S3::Bucket', id);
  if (found === undefined) throw new StartFailure(`The stage ${stage} has no bucket for ${id.replace('-', ' ')}.`);
  return found;
};

/** The keys of all files, or of those that begin with the prefix, in order. */
export async function* keysIn(s3: S3Client, Bucket: string, Prefix?: string): AsyncGenerator<string> {
  let after: string | undefined;
  do {
    const { Contents = [], IsTruncated } = await s3.send(
      new ListObjectsV2Command({ Bucket, Prefix, StartAfter: after }),
    );
    for (const { Key = '' } of Contents) yield Key;
    after = IsTruncated ? Contents.at(-1)?.Key : undefined;
  } while (after !== undefined);
}

/** The content of a file. Undefined: it was deleted since it was listed. */
export const contentOf = async (s3: S3Client, Bucket: string, Key: string) => {
  try {
    return (await s3.send(new GetObjectCommand({ Bucket, Key }))).Body;
  } catch (thrown) {
    if (thrown instanceof NoSuchKey) return undefined;
    throw thrown;
  }
};
