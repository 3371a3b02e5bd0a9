import { hash } from 'node:crypto';

/** From this time on, new messages of each channel lie in this many shards. */
interface SpreadEntry {
  readonly fromMs: number;
  readonly shards: number;
}

/**
 * How an account's messages are spread, oldest entry first. A message's shard follows from its id and from the entry in force at the id's time.
 * Messages before the first entry lie as the release before laid them: all channels in one partition.
 */
export type Spread = readonly SpreadEntry[];

/** The spread of a new account. */
export const firstSpread: Spread = [{ fromMs: 0, shards: 1 }];

/** How far a spread is doubled when writes are throttled. */
const mostShards = 16;

/** For so long after a history was read, it is right: later entries begin after that. */
export const rightForMs = 60_000;
/** An entry begins so long after it was written. Twice what readers rely on, so clocks may differ by a minute. */
const leadMs = 2 * rightForMs;
/** The first entry of an older account: until then, functions of the release before must have ended. */
const firstLeadMs = 3_600_000;

/** The number of shards at a time; undefined where the release before laid messages. */
export const shardsAt = (spread: Spread, timeMs: number): number | undefined =>
  spread.findLast(({ fromMs }) => fromMs <= timeMs)?.shards;

export const shardOf = (id: string, shards: number): number =>
  shards === 1 ? 0 : hash('sha256', id, 'buffer').readUInt32BE() % shards;

/** A time in which messages lie in the same way. Both ends are included. */
interface Epoch {
  readonly fromMs: number;
  readonly toMs: number;
  readonly shards: number | undefined;
}

/** The parts of a range of time with the spread of each, oldest first. */
export const epochsIn = (spread: Spread, fromMs: number, toMs: number): Epoch[] => {
  const starts = [{ fromMs: 0, shards: undefined }, ...spread];
  return starts
    .map(({ shards, ...start }, n) => ({
      shards,
      fromMs: Math.max(fromMs, start.fromMs),
      toMs: Math.min(toMs, (starts[n + 1]?.fromMs ?? Number.POSITIVE_INFINITY) - 1),
    }))
    .filter((epoch) => epoch.fromMs <= epoch.toMs);
};

/** The history with more shards from a little later on; itself when it has them already. */
export const raised = (spread: Spread, shards: number, nowMs: number): Spread => {
  const last = spread.at(-1);
  if (last && last.shards >= shards) return spread;
  const fromMs = Math.max(nowMs + (last ? leadMs : firstLeadMs), (last?.fromMs ?? 0) + 1);
  return [...spread, { fromMs, shards }];
};

/** The history with twice as many shards; itself while the last change has not begun. */
export const doubled = (spread: Spread, nowMs: number): Spread => {
  const { fromMs = 0, shards = 1 } = spread.at(-1) ?? {};
  return fromMs > nowMs ? spread : raised(spread, Math.min(2 * shards, mostShards), nowMs);
};
