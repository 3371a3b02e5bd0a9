import type { Load } from './dynamodb-units.ts';

export type LoadKind = 'Read' | 'Write';

/** Keys that are not in use are forgotten when there are more than this. */
const mostKeys = 10_000;

/**
 * A token bucket for each partition key of the table and of each index. It holds one second: the burst of up to 300 seconds is documented
 * for capacity that is provisioned, not for the limit of a partition.
 */
export const openMeter = (unitsPerSecond: Readonly<Record<LoadKind, number>>, nowMs: () => number) => {
  const buckets = new Map<string, { readonly units: number; readonly atMs: number }>();
  const keyOf = (kind: LoadKind, { index = '', partition }: Load): string => `${kind}\n${index}\n${partition}`;

  const unitsIn = (kind: LoadKind, key: string): number => {
    const most = unitsPerSecond[kind];
    const bucket = buckets.get(key);
    return bucket ? Math.min(most, bucket.units + ((nowMs() - bucket.atMs) / 1_000) * most) : most;
  };

  const forgetFull = (): void => {
    for (const key of buckets.keys()) {
      const kind = key.startsWith('Read') ? 'Read' : 'Write';
      if (unitsIn(kind, key) >= unitsPerSecond[kind]) buckets.delete(key);
    }
  };

  return {
    /** The first of these whose key has nothing left. What a call costs is known when it has ended, so a key may go into debt. */
    exhausted: (kind: LoadKind, loads: readonly Load[]): Load | undefined =>
      loads.find((load) => unitsIn(kind, keyOf(kind, load)) <= 0),

    spend: (kind: LoadKind, loads: readonly Load[]): void => {
      for (const load of loads) {
        const key = keyOf(kind, load);
        buckets.set(key, { units: unitsIn(kind, key) - load.units, atMs: nowMs() });
      }
      if (buckets.size > mostKeys) forgetFull();
    },
  };
};
