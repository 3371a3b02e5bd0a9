import * as z from 'zod';

/** A reader that was not seen for so long is gone. */
const forgottenAfterMs = 5_000;
const mostReaders = 2;
const mostIterators = 1_000;

const iteratorRequest = z.object({ ShardId: z.string() });
const recordsRequest = z.object({ ShardIterator: z.string() });
const iteratorAnswer = z
  .object({ ShardIterator: z.string().optional(), NextShardIterator: z.string().optional() })
  .transform(({ ShardIterator, NextShardIterator }) => ShardIterator ?? NextShardIterator);

/** Who follows which shard of a stream, by access key. More than two readers of one shard are throttled. */
export const openStreamReaders = (nowMs: () => number) => {
  const shardOfIterator = new Map<string, string>();
  const readersOfShard = new Map<string, Map<string, number>>();

  return {
    /** Reads which shard the iterator in an answer belongs to. */
    learn: (request: unknown, answer: unknown): void => {
      const used = recordsRequest.safeParse(request).data?.ShardIterator;
      const shard = iteratorRequest.safeParse(request).data?.ShardId ?? (used && shardOfIterator.get(used));
      const next = iteratorAnswer.safeParse(answer).data;
      if (shard === undefined || next === undefined) return;
      shardOfIterator.delete(next);
      shardOfIterator.set(next, shard);
      const [oldest] = shardOfIterator.keys();
      if (shardOfIterator.size > mostIterators && oldest !== undefined) shardOfIterator.delete(oldest);
    },

    admits: (request: unknown, reader: string): boolean => {
      const shard = shardOfIterator.get(recordsRequest.safeParse(request).data?.ShardIterator ?? '');
      if (shard === undefined) return true;
      const readers = readersOfShard.get(shard) ?? new Map<string, number>();
      readersOfShard.set(shard, readers);
      for (const [name, seenMs] of readers) if (nowMs() - seenMs > forgottenAfterMs) readers.delete(name);
      if (!readers.has(reader) && readers.size >= mostReaders) return false;
      readers.set(reader, nowMs());
      return true;
    },
  };
};
