import type { EventEmitter } from 'node:events';
import { openFileStore } from '../../shared/aws/file-store.ts';
import type { StreamMappingSpec } from './blueprint.ts';
import type { Checkpoints } from './checkpoints.ts';
import { openStream, type Position, type Shard, type Stream, type StreamRecord } from './dynamodb-stream.ts';
import type { Invoke } from './invocation.ts';
import { localEndpoint } from './local-client.ts';
import { beginLife } from './mapping-life.ts';
import { type Discard, workOff } from './stream-batch.ts';
import { keptBatch } from './stream-discard.ts';
import { compilePattern } from './stream-filter.ts';

/** The pauses between reads while a stream is quiet: short at first, then longer, because the stack runs all day. A `write` ends a pause. */
const idleMs = { least: 20, most: 200, mostBetweenWrites: 2_000 };
/** Reads of a stream begin this far apart: what is written together is read together. */
const readsApartMs = 25;
/** While a batch is gathered it is not hurried. */
const windowReadMs = 250;
const splitCheckMs = 1_000;

export interface StreamMappingDeps {
  readonly dynamodbUrl: string;
  readonly s3Url: string;
  readonly invoke: Invoke;
  readonly checkpoints: Checkpoints;
  /** Emits `write` when a table may have changed. Without it, streams are read more often. */
  readonly writes?: EventEmitter;
  /** What the stack's clock showed at a time of the machine, which records have. Without it, the same. */
  timeAt?(machineMs: number): number;
  /** Called with the error that stops the mapping; by default it is printed to the terminal. */
  report?(line: string): void;
}

/**
 * Feeds a table's stream to a function, as Lambda's event source mapping does: in batches, in order within a shard, at least once. A position is
 * stored only when everything before it succeeded or was given up. Throws when a filter is invalid.
 */
export const runStreamMapping = (spec: StreamMappingSpec, deps: StreamMappingDeps) => {
  const { checkpoints, invoke, writes, timeAt = (machineMs) => machineMs } = deps;
  const mostIdleMs = writes ? idleMs.mostBetweenWrites : idleMs.most;
  const life = beginLife(spec.id, deps.report);
  const { signal, insist, pause } = life;
  const patterns = spec.filters.map(compilePattern);
  const passes = (record: StreamRecord): boolean =>
    patterns.length === 0 || patterns.some((pattern) => pattern(record));

  const dated = (records: readonly StreamRecord[]): readonly StreamRecord[] =>
    records.map(({ dynamodb, ...record }) => {
      const ApproximateCreationDateTime = timeAt(dynamodb.ApproximateCreationDateTime * 1_000) / 1_000;
      return { ...record, dynamodb: { ...dynamodb, ApproximateCreationDateTime } };
    });

  const discardTo = (stream: Stream, shardId: string) => async (discard: Discard) => {
    const { id: mappingId, functionName, onFailureBucket: bucket } = spec;
    if (bucket === undefined) return;
    const { key, body } = keptBatch(discard, { mappingId, functionName, streamArn: stream.arn, shardId });
    const files = openFileStore(localEndpoint(`${deps.s3Url}/${bucket}`));
    await files.put(key, Buffer.from(JSON.stringify(body)));
  };

  let written = 0;
  const noteWrite = (): void => {
    written += 1;
  };
  writes?.on('write', noteWrite);

  let pauseMs = idleMs.least;
  let lastReadMs = Number.NEGATIVE_INFINITY;
  const readPage = async (stream: Stream, iterator: string) => {
    const tooEarlyMs = lastReadMs + readsApartMs - performance.now();
    if (tooEarlyMs > 0) await pause(tooEarlyMs);
    lastReadMs = performance.now();
    return stream.records(iterator);
  };

  /** The next page that has records, or an empty one after a pause. */
  const nextPage = async (stream: Stream, iterator: string) => {
    const writtenBefore = written;
    const page = await readPage(stream, iterator);
    if (page.records.length > 0) pauseMs = idleMs.least;
    // What was written during the read may have come too late for it.
    else if (written === writtenBefore) {
      await pause(pauseMs, writes);
      pauseMs = Math.min(1.2 * pauseMs, mostIdleMs);
    }
    return page;
  };

  /** Reads until enough records pass the filters or the batching window ends. */
  const gather = async (stream: Stream, iterator: string) => {
    let page = await nextPage(stream, iterator);
    let last = page.records.at(-1);
    const batch = page.records.filter(passes);
    const windowEndMs = Date.now() + spec.batchWindowSeconds * 1_000;
    while (page.next && batch.length > 0 && batch.length < spec.batchSize && Date.now() < windowEndMs) {
      await pause(Math.min(windowReadMs, windowEndMs - Date.now()));
      page = await readPage(stream, page.next);
      last = page.records.at(-1) ?? last;
      batch.push(...page.records.filter(passes));
    }
    return { batch, last, next: page.next };
  };

  const readShard = async (stream: Stream, shard: Shard, first: string): Promise<void> => {
    const key = keyOf(stream, shard);
    const advance = ({ dynamodb }: StreamRecord) => checkpoints.set(spec.id, key, dynamodb.SequenceNumber);
    const discard = discardTo(stream, shard.ShardId);
    const after = checkpoints.get(spec.id, key);
    let next: string | undefined = after ? await stream.iterator(shard.ShardId, { after }) : first;
    while (next && !signal.aborted) {
      const { batch, last, next: following } = await gather(stream, next);
      for (let start = 0; start < batch.length; start += spec.batchSize)
        await workOff(batch.slice(start, start + spec.batchSize), spec, { invoke, life, dated, advance, discard });
      if (last && !signal.aborted) advance(last);
      next = following;
    }
  };

  /** Reads a shard to its end, then its child shards. */
  const follow = async (stream: Stream, shard: Shard, from: Position): Promise<void> => {
    const first = await insist(() => stream.iterator(shard.ShardId, from));
    if (first) await insist(() => readShard(stream, shard, first));
    let children: readonly Shard[] = [];
    while (children.length === 0 && !signal.aborted) {
      const shards = await insist(stream.shards);
      children = shards?.filter(({ ParentShardId }) => ParentShardId === shard.ShardId) ?? [];
      if (children.length === 0) await pause(splitCheckMs);
    }
    await Promise.all(children.map((child) => follow(stream, child, 'TRIM_HORIZON')));
  };

  const run = async (): Promise<void> => {
    const opened = await insist(async () => {
      const stream = await openStream(deps.dynamodbUrl, spec.tableName, spec.functionName, signal);
      return { stream, shards: await stream.shards() };
    });
    if (!opened) return;
    const { stream, shards } = opened;
    const from = begin(spec, checkpoints, stream, shards);
    const ids = new Set(shards.map(({ ShardId }) => ShardId));
    const roots = shards.filter(({ ParentShardId }) => !ids.has(ParentShardId ?? ''));
    await Promise.all(roots.map((root) => follow(stream, root, from)));
  };

  const running = run();
  return {
    /** Stops reading, and waits briefly for the running invocation. */
    close: (): Promise<void> => {
      writes?.off('write', noteWrite);
      return life.end(running);
    },
  };
};

/** A new table repeats the shard ids of the old one, but has a new stream ARN. */
const keyOf = ({ arn }: Stream, { ShardId }: Shard): string => `${arn}/${ShardId}`;

/** Where shards without a checkpoint begin. LATEST applies to the first start only: later starts read what was written meanwhile. */
const begin = (
  spec: StreamMappingSpec,
  checkpoints: Checkpoints,
  stream: Stream,
  shards: readonly Shard[],
): Position => {
  if (spec.startingPosition === 'TRIM_HORIZON' || checkpoints.get(spec.id, stream.arn)) return 'TRIM_HORIZON';
  for (const shard of shards) {
    const { EndingSequenceNumber: last } = shard.SequenceNumberRange;
    if (last) checkpoints.set(spec.id, keyOf(stream, shard), last);
  }
  checkpoints.set(spec.id, stream.arn, 'begun');
  return 'LATEST';
};
