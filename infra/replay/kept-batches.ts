import {
  DeleteObjectCommand,
  GetObjectCommand,
  ListObjectsV2Command,
  NoSuchKey,
  type S3Client,
} from '@aws-sdk/client-s3';
import * as z from 'zod';
import { jsonIn } from '../../shared/kit/json-in.ts';
import { StartFailure } from '../local/start-failure.ts';
import type { Clients } from './clients.ts';
import { dropNotices, type Replayed, unversioned } from './parked-messages.ts';
import { isFunctionOf } from './parking-places.ts';

/** Lambda's record of a failed batch: its origin, and the whole event as text. */
const keptBatch = z.object({
  requestContext: z.object({ functionArn: z.string() }),
  payload: z.union([z.string(), z.looseObject({}).transform((event) => JSON.stringify(event))]),
});

const members = z.record(z.string(), z.unknown()).catch({});

interface KeptBatch {
  readonly key: string;
  /** Undefined: what is kept is not a failed batch, so it can be of any function. */
  readonly call: { readonly functionArn: string; readonly event: string } | undefined;
}

/**
 * The bucket with this id in the stacks of the stage.
 * @throws StartFailure when the stage has none
 */
export const bucketOf = async ({ find, stage }: Clients, id: 'failed-batches' | 'files'): Promise<string> => {
  const found = await find('AWS::S3::Bucket', id);
  if (found === undefined) throw new StartFailure(`The stage ${stage} has no bucket for ${id.replace('-', ' ')}.`);
  return found;
};

/** The batches that a function failed on; those of one shard in the order in which they were given up. */
async function* keptBatches({ s3, stage }: Clients, Bucket: string, functionName: string): AsyncGenerator<KeptBatch> {
  let after: string | undefined;
  do {
    const { Contents = [], IsTruncated } = await s3.send(new ListObjectsV2Command({ Bucket, StartAfter: after }));
    for (const { Key: key = '' } of Contents) {
      const content = await read(s3, Bucket, key);
      if (content === undefined) continue;
      const batch = keptBatch.safeParse(jsonIn(content)).data;
      const call = batch && { functionArn: unversioned(batch.requestContext.functionArn), event: batch.payload };
      if (!call || isFunctionOf(call.functionArn, { stage, id: functionName })) yield { key, call };
    }
    after = IsTruncated ? Contents.at(-1)?.Key : undefined;
  } while (after !== undefined);
}

/** Undefined: another replay has deleted it since it was listed. */
const read = async (s3: S3Client, Bucket: string, Key: string): Promise<string | undefined> => {
  try {
    const { Body } = await s3.send(new GetObjectCommand({ Bucket, Key }));
    return await Body?.transformToString();
  } catch (thrown) {
    if (thrown instanceof NoSuchKey) return undefined;
    throw thrown;
  }
};

export const countBatches = async (clients: Clients, Bucket: string, functionName: string): Promise<number> => {
  let count = 0;
  for await (const _ of keptBatches(clients, Bucket, functionName)) count += 1;
  return count;
};

/** Returns why the batch is still parked, or undefined. */
const callAgain = async ({ invoke }: Clients, { key, call }: KeptBatch): Promise<string | undefined> => {
  if (!call) return `${key} is not a failed batch; it stays parked`;
  // A reader that can park what it fails on leaves it here, where it is kept for longer.
  const failure = await invoke(
    call.functionArn,
    JSON.stringify({ ...members.parse(jsonIn(call.event)), isRepeated: true }),
  );
  return failure === undefined ? undefined : `${key}: ${failure}`;
};

/** Calls the function with its stored batches again. A batch that succeeds is deleted; one that fails stays, and the next are still tried. */
export const replayBatches = async (clients: Clients, Bucket: string, functionName: string): Promise<Replayed> => {
  const failures: string[] = [];
  let done = 0;
  for await (const batch of keptBatches(clients, Bucket, functionName)) {
    const failure = await callAgain(clients, batch);
    if (failure === undefined) {
      await clients.s3.send(new DeleteObjectCommand({ Bucket, Key: batch.key }));
      done += 1;
    } else failures.push(failure);
  }
  const isStored = async (Prefix: string): Promise<boolean> =>
    ((await clients.s3.send(new ListObjectsV2Command({ Bucket, Prefix, MaxKeys: 1 }))).KeyCount ?? 0) > 0;
  const unseen = await dropNotices(clients, isStored);
  return { done, failures, unseen };
};
