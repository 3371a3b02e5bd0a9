import type { Node } from 'constructs';
import type { Route } from './routes.ts';
import { settingOf, warmThroughputOf } from './settings.ts';
import type { Worker } from './workers.ts';

/** Lambda runs one batch of each shard of a stream at a time, and a table has a shard for each 1,000 write units a second that it can take. */
const shardWrites = 1_000;
const leastShards = 20;

/**
 * Runs that the notifications of a topic get: at some 80 ms each, 500 a second. Without this limit, those of one busy account, which DynamoDB slows
 * down, would take all runs that are left, and fail where they can wait: what Lambda throttles it repeats for six hours.
 */
const topicRuns = 40;

/** The concurrency that is reserved for the HTTP functions of sending and money together; 0: nothing is reserved. */
export const reservedIn = (node: Pick<Node, 'tryGetContext'>): number =>
  Number(settingOf(node, 'RESERVED_CONCURRENCY'));

/** What is reserved for the function of a route. At least one run, and none for others: the docs use what is left. */
export const reservedForRoute = (reserved: number, { reservedPercent }: Route): number | undefined =>
  reserved > 0 && reservedPercent !== undefined
    ? Math.max(1, Math.floor((reserved * reservedPercent) / 100))
    : undefined;

/** How many shards the stream of the table may have. */
export const shardsIn = (node: Pick<Node, 'tryGetContext'>): number =>
  Math.max(leastShards, Math.ceil((warmThroughputOf(node)?.writeUnitsPerSecond ?? 0) / shardWrites));

/**
 * What is reserved for a worker: as many runs as its sources may start, so that it never gets fewer, which would send jobs back to their queue as
 * failed.
 */
export const reservedForWorker = (reserved: number, { on }: Pick<Worker, 'on'>, shards: number): number | undefined => {
  if (reserved === 0) return undefined;
  const runs = [on]
    .flat()
    .map((source) => ('stream' in source ? shards : 'queue' in source ? source.concurrency : topicRuns));
  return runs.reduce((sum, each) => sum + each, 0);
};
