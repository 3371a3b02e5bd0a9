import type { Node } from 'constructs';
import type { Route } from './routes.ts';
import { settingOf } from './settings.ts';
import type { Worker } from './workers.ts';

/** Lambda runs one batch of each shard of a stream at a time. A table of so many shards takes some 20,000 write units a second. */
const streamShards = 20;

/** The concurrency that is reserved for the HTTP functions of sending and money together; 0: nothing is reserved. */
export const reservedIn = (node: Pick<Node, 'tryGetContext'>): number =>
  Number(settingOf(node, 'RESERVED_CONCURRENCY'));

/** What is reserved for the function of a route. At least one run, and none for others: the docs use what is left. */
export const reservedForRoute = (reserved: number, { reservedPercent }: Route): number | undefined =>
  reserved > 0 && reservedPercent !== undefined
    ? Math.max(1, Math.floor((reserved * reservedPercent) / 100))
    : undefined;

/**
 * What is reserved for a worker: as many runs as its sources may start, so that it never gets fewer, which would send jobs back to their queue as
 * failed. A worker that a topic calls has none: Lambda keeps its calls and repeats them for hours.
 */
export const reservedForWorker = (reserved: number, { on }: Pick<Worker, 'on'>): number | undefined => {
  if (reserved === 0) return undefined;
  const runs = [on]
    .flat()
    .map((source) => ('stream' in source ? streamShards : 'queue' in source ? source.concurrency : undefined));
  return runs.reduce((sum, each) => (sum === undefined || each === undefined ? undefined : sum + each), 0);
};
