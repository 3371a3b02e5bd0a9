import { DeleteObjectCommand, ListObjectsV2Command } from '@aws-sdk/client-s3';
import * as z from 'zod';
import { jsonIn } from '../../shared/kit/json-in.ts';
import { bucketOf, contentOf, keysIn } from './bucket-files.ts';
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

/** The batches that a function failed on; those of one shard in the order in which they were given up. */
async function* keptBatches({ s3, stage }: Clients, Bucket: string, functionName: string): AsyncGenerator<KeptBatch> {
  for await (const key of keysIn(s3, Bucket)) {
    const content = await (await contentOf(s3, Bucket, key))?.transformToString();
    if (content === undefined) continue;
    const batch = keptBatch.safeParse(jsonIn(content)).data;
    const call = batch && { functionArn: unversioned(batch.requestContext.functionArn), event: batch.payload };
    if (!call || isFunctionOf(call.functionArn, { stage, id: functionName })) yield { key, call };
  }
}

/** How many batches are stored that a function failed on. */
export const countBatches = async (clients: Clients, functionName: string): Promise<number> => {
  let count = 0;
  for await (const _ of keptBatches(clients, await bucketOf(clients, 'failed-batches'), functionName)) count += 1;
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
export const replayBatches = async (clients: Clients, functionName: string): Promise<Replayed> => {
  const Bucket = await bucketOf(clients, 'failed-batches');
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
