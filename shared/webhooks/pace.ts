import type { DeliveryJob } from './jobs.ts';

export type Lane = DeliveryJob['lane'];

type Turns = Readonly<Record<Lane, number>>;

/**
 * How many deliveries may be under way at once, each of them with a turn: to one subscription, so that a slow target holds up no other; and to one
 * host, whichever of an account's subscriptions name it. A host that answers within 100 ms takes 300 a second with 30 at once.
 */
export const turnsAt = {
  subscription: { fast: 4, slow: 2 },
  host: { fast: 32, slow: 8 },
} as const satisfies Record<string, Turns>;

/** When all turns are taken, one that lasts longer than this shows a slow target, not only a high load. */
const crowdedAfterMs = 2_000;

/** How long the holder of a turn may start further deliveries. The last one may then use its full time limit. */
export const goesOnForMs: Readonly<Record<Lane, number>> = { fast: 250, slow: 8_000 };

/** A target that took longer than this is served in the slow lane for the next minute. */
const slowAfterMs = 1_000;
const slowForMs = 60_000;

/** The maximum duration of a function, so an older turn belongs to a crashed run. */
export const turnEndsAfterMs = 25_000;

/** How long a target may take that nothing is known of yet. */
const longestAnswerMs = 10_000;

/** Who is at a target now, and how it has been. */
export interface Pace {
  /** When each turn was taken, by its number. */
  readonly turns: ReadonlyMap<number, number>;
  readonly slowUntilMs: number;
  /** How long the latest answer took. */
  readonly lastMs: number | undefined;
}

/** `busy`: retry soon. `slow`: use the slow lane, with this interval to the others; 0 means at once. */
export type Verdict =
  | { readonly kind: 'free'; readonly turn: number }
  | { readonly kind: 'busy' }
  | { readonly kind: 'slow'; readonly everyMs: number };

/** A turn to try first: which one does not matter, but callers should not all try the same. */
export const anyTurn = (turns: Turns, lane: Lane, random = Math.random()): number => Math.floor(random * turns[lane]);

/** The decision for a delivery in this lane. */
export const judge = (
  most: Turns,
  { turns, slowUntilMs, lastMs = longestAnswerMs }: Pace,
  lane: Lane,
  nowMs: number,
): Verdict => {
  const taken = Array.from({ length: most[lane] }, (_, turn) => turns.get(turn) ?? 0);
  const free = taken.findIndex((sinceMs) => sinceMs < nowMs - turnEndsAfterMs);
  const isKnownSlow = lane === 'slow' || slowUntilMs >= nowMs;
  if (free >= 0 && (lane === 'slow' || !isKnownSlow)) return { kind: 'free', turn: free };
  if (!isKnownSlow && Math.min(...taken) >= nowMs - crowdedAfterMs) return { kind: 'busy' };
  const isFull = free < 0 || free >= most.slow;
  return { kind: 'slow', everyMs: isFull ? Math.ceil(lastMs / most.slow) : 0 };
};

export const isSlow = (tookMs: number): boolean => tookMs > slowAfterMs;

/** Until when a target counts as slow after an answer. */
export const slowUntil = (tookMs: number, nowMs: number): number => (isSlow(tookMs) ? nowMs + slowForMs : 0);

/** Subscriptions share a host however their urls write it. */
export const hostOf = (url: string): string => new URL(url).hostname.replace(/\.$/, '');
