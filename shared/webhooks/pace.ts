import { timeOfId } from '../kit/id.ts';
import { longestRunMs } from '../kit/longest-run.ts';
import type { DeliveryJob } from './jobs.ts';

export type Lane = DeliveryJob['lane'];

/**
 * A lease is for up to ten jobs of one subscription that one function has received together. How many calls a target gets at once
 * follows from its answers, as in TCP: the window grows by each quick answer, and halves when a lease was slow.
 */
const fewestCalls = 4;
const mostCalls = 80;
const largestBatch = 10;
const fewestLeases = 4;

/** While an answer takes no longer than this, the window grows. */
const quickWithinMs = 500;

/** A target that took longer than this is served in the slow lane for the next minute, or until it is quick again. */
export const slowAfterMs = 1_000;
const slowForMs = 60_000;

/** How many leases go to a known-slow target at once: they wait for it, and so each of them keeps a function from other work. */
const slowLeases = 2;

/** How long a lease may start further deliveries. The last one may then use its full time limit. */
export const goesOnForMs: Readonly<Record<Lane, number>> = { fast: 250, slow: 8_000 };

/** When all slots at a host are taken, leases that last longer than this show slow targets, not only a high load. */
const crowdedAfterMs = 2_000;

/** How long a target may take that nothing is known of yet. */
const longestAnswerMs = 10_000;

/** Several subscriptions of an account that name one host share these: 32 calls at once. */
export const atHost = { leases: { fast: 16, slow: 4 }, callsAtOnce: 2 } as const;

/** While a host is known to serve no more subscriptions than this, each has an equal share of it, and its fast leases take no slot there. */
const sharingSubscriptions = 4;

/** While a host is known to serve no more subscriptions than this, their single calls take no slot there. */
const fewSubscriptions = 8;

/** Who is at a target now, and how it has been. */
export interface Pace {
  /** The ids of the leases under way, which tell when they began, by their slots. */
  readonly leases: ReadonlyMap<number, string>;
  /** How many calls may be under way at once. */
  readonly window: number;
  readonly slowUntilMs: number;
  /** How long the latest lease waited for its slowest answer. */
  readonly lastMs: number | undefined;
}

export const firstWindow = fewestCalls;

/** `busy`: retry soon. `slow`: use the slow lane, with this interval to the others; 0 means at once. */
export type Admission =
  | { readonly kind: 'free'; readonly slot: number; readonly callsAtOnce: number }
  | { readonly kind: 'busy' }
  | { readonly kind: 'slow'; readonly everyMs: number };

/** How many leases may be under way in a window. */
export const leasesAllowed = (window: number): number => Math.max(fewestLeases, Math.ceil(window / largestBatch));

const ageOf = (lease: string, nowMs: number): number => nowMs - timeOfId(lease);

/** The run of such a lease is over, whether it ended or not. */
export const isDead = (lease: string, nowMs: number): boolean => ageOf(lease, nowMs) > longestRunMs;

/** A free slot among the first ones. Which of them does not matter, but leases should not all try the same. */
const freeSlot = (
  { leases }: Pick<Pace, 'leases'>,
  most: number,
  nowMs: number,
  random: number,
): number | undefined => {
  const free = Array.from({ length: most }, (_, slot) => slot).filter((slot) => {
    const lease = leases.get(slot);
    return lease === undefined || isDead(lease, nowMs);
  });
  return free[Math.floor(random * free.length)];
};

/** What one subscription may have of a host that serves several. */
export interface HostShare {
  readonly leases: number;
  readonly callsAtOnce: number;
}

/** The share of each of a few subscriptions. Undefined: leases take slots at the host, so that a busy subscription gets what the others leave. */
export const shareOfHost = (subscriptions: number, lane: Lane): HostShare | undefined =>
  lane === 'fast' && subscriptions <= sharingSubscriptions
    ? { leases: Math.floor(atHost.leases.fast / subscriptions), callsAtOnce: atHost.callsAtOnce }
    : undefined;

const wholeHost: HostShare = { leases: Number.POSITIVE_INFINITY, callsAtOnce: largestBatch };

/** The decision for a lease in this lane at its subscription. */
export const admit = (
  pace: Pace,
  lane: Lane,
  nowMs: number,
  {
    share = wholeHost,
    random = Math.random(),
  }: { readonly share?: HostShare | undefined; readonly random?: number } = {},
): Admission => {
  const { window, slowUntilMs, lastMs = longestAnswerMs } = pace;
  const isKnownSlow = slowUntilMs >= nowMs;
  const most = isKnownSlow ? slowLeases : Math.min(leasesAllowed(window), share.leases);
  const slot = freeSlot(pace, most, nowMs, random);
  if (slot !== undefined && (lane === 'slow' || !isKnownSlow))
    return { kind: 'free', slot, callsAtOnce: Math.min(share.callsAtOnce, Math.floor(window / most)) };
  if (!isKnownSlow) return { kind: 'busy' };
  return { kind: 'slow', everyMs: slot === undefined ? Math.ceil(lastMs / slowLeases) : 0 };
};

/** The decision at a host of several subscriptions, which may be slow for some of them and quick for others. */
export const admitAtHost = (
  pace: Pick<Pace, 'leases'>,
  lane: Lane,
  nowMs: number,
  random = Math.random(),
): Admission => {
  const slot = freeSlot(pace, atHost.leases[lane], nowMs, random);
  if (slot !== undefined) return { kind: 'free', slot, callsAtOnce: atHost.callsAtOnce };
  const ages = [...pace.leases.values()].map((lease) => ageOf(lease, nowMs));
  if (lane === 'fast' && Math.min(...ages) <= crowdedAfterMs) return { kind: 'busy' };
  return { kind: 'slow', everyMs: Math.ceil(longestAnswerMs / atHost.leases.slow) };
};

/**
 * Whether a lease of one call may go to a host without a slot: no other lease is at its subscription, so each of these few has one such call at
 * most, and nobody has a slot at the host. At a trickle, a slot would cost more than the delivery.
 */
export const mayGoAlone = (
  jobs: number,
  subscriptions: number,
  { own, host }: { readonly own: Pick<Pace, 'leases'>; readonly host: Pick<Pace, 'leases'> },
  nowMs: number,
): boolean => {
  const alive = ({ leases }: Pick<Pace, 'leases'>) =>
    [...leases.values()].filter((lease) => !isDead(lease, nowMs)).length;
  return jobs === 1 && subscriptions <= fewSubscriptions && alive(own) <= 1 && alive(host) === 0;
};

/** So long after it began, nobody takes a lease for dead, by whichever clock. */
const staysWithinMs = 5_000;

/**
 * Whether a lease that has recorded all of its few deliveries may stay in its slot: there is nothing to tell of a target that is quick, as it was.
 * One that was not alone there tells: the window grows by its answers.
 */
export const mayStay = (
  { slowUntilMs, leases }: Pick<Pace, 'slowUntilMs' | 'leases'>,
  lease: string,
  tookMs: number,
  nowMs: number,
): boolean => leases.size === 1 && slowUntilMs === 0 && tookMs <= quickWithinMs && ageOf(lease, nowMs) < staysWithinMs;

export const isSlow = (tookMs: number): boolean => tookMs > slowAfterMs;

/** Until when a target counts as slow after a lease. */
export const slowUntil = (tookMs: number, nowMs: number): number => (isSlow(tookMs) ? nowMs + slowForMs : 0);

/** The window after a lease with this many answers, the slowest of which took this long. */
export const windowAfter = (window: number, tookMs: number, answers: number): number => {
  if (isSlow(tookMs)) return Math.max(fewestCalls, Math.floor(window / 2));
  return tookMs <= quickWithinMs ? Math.min(mostCalls, window + answers) : window;
};

/** Subscriptions share a host however their urls write it. */
export const hostOf = (url: string): string => new URL(url).hostname.replace(/\.$/, '');
