import { timeOfId } from '../kit/id.ts';
import type { DeliveryJob } from './jobs.ts';

export type Lane = DeliveryJob['lane'];

/**
 * Deliveries run in lines: up to ten jobs of one subscription that one function has received together. How many calls a target gets at once
 * follows from its answers, as in TCP: the window grows by each quick answer, and halves when a line was slow.
 */
const fewestCalls = 4;
const mostCalls = 80;
const longestLine = 10;
const fewestLines = 4;

/** While an answer takes no longer than this, the window grows. */
const quickWithinMs = 500;

/** A target that took longer than this is served in the slow lane for the next minute, or until it is quick again. */
export const slowAfterMs = 1_000;
const slowForMs = 60_000;

/** How many lines go to a known-slow target at once: they wait for it, and so each of them keeps a function from other work. */
const slowLines = 2;

/** How long a line may start further deliveries. The last one may then use its full time limit. */
export const goesOnForMs: Readonly<Record<Lane, number>> = { fast: 250, slow: 8_000 };

/** When all places at a host are taken, lines that last longer than this show slow targets, not only a high load. */
const crowdedAfterMs = 2_000;

/** Longer than a function can run, so an older line belongs to a crashed run. */
export const lineEndsAfterMs = 30_000;

/** How long a target may take that nothing is known of yet. */
const longestAnswerMs = 10_000;

/** Several subscriptions of an account that name one host share these: 32 calls at once. */
export const atHost = { lines: { fast: 16, slow: 4 }, callsAtOnce: 2 } as const;

/** While a host is known to serve no more subscriptions than this, each has an equal share of it, and its fast lines take no place there. */
const sharingSubscriptions = 4;

/** While a host is known to serve no more subscriptions than this, their single calls take no place there. */
const fewSubscriptions = 8;

/** Who is at a target now, and how it has been. */
export interface Pace {
  /** The ids of the lines under way, which tell when they began, by their places. */
  readonly lines: ReadonlyMap<number, string>;
  /** How many calls may be under way at once. */
  readonly window: number;
  readonly slowUntilMs: number;
  /** How long the latest line waited for its slowest answer. */
  readonly lastMs: number | undefined;
}

export const firstWindow = fewestCalls;

/** `busy`: retry soon. `slow`: use the slow lane, with this interval to the others; 0 means at once. */
export type Verdict =
  | { readonly kind: 'free'; readonly place: number; readonly callsAtOnce: number }
  | { readonly kind: 'busy' }
  | { readonly kind: 'slow'; readonly everyMs: number };

/** How many lines may be under way in a window. */
export const linesIn = (window: number): number => Math.max(fewestLines, Math.ceil(window / longestLine));

const ageOf = (line: string, nowMs: number): number => nowMs - timeOfId(line);

/** The run of such a line is over, whether it ended or not. */
export const isDead = (line: string, nowMs: number): boolean => ageOf(line, nowMs) > lineEndsAfterMs;

/** A free place among the first ones. Which of them does not matter, but lines should not all try the same. */
const freePlace = ({ lines }: Pick<Pace, 'lines'>, most: number, nowMs: number, random: number): number | undefined => {
  const free = Array.from({ length: most }, (_, place) => place).filter((place) => {
    const line = lines.get(place);
    return line === undefined || isDead(line, nowMs);
  });
  return free[Math.floor(random * free.length)];
};

/** What one subscription may have of a host that serves several. */
export interface HostShare {
  readonly lines: number;
  readonly callsAtOnce: number;
}

/** The share of each of a few subscriptions. Undefined: lines take places at the host, so that a busy subscription gets what the others leave. */
export const shareOfHost = (subscriptions: number, lane: Lane): HostShare | undefined =>
  lane === 'fast' && subscriptions <= sharingSubscriptions
    ? { lines: Math.floor(atHost.lines.fast / subscriptions), callsAtOnce: atHost.callsAtOnce }
    : undefined;

const wholeHost: HostShare = { lines: Number.POSITIVE_INFINITY, callsAtOnce: longestLine };

/** The decision for a line in this lane at its subscription. */
export const judge = (
  pace: Pace,
  lane: Lane,
  nowMs: number,
  {
    share = wholeHost,
    random = Math.random(),
  }: { readonly share?: HostShare | undefined; readonly random?: number } = {},
): Verdict => {
  const { window, slowUntilMs, lastMs = longestAnswerMs } = pace;
  const isKnownSlow = slowUntilMs >= nowMs;
  const most = isKnownSlow ? slowLines : Math.min(linesIn(window), share.lines);
  const place = freePlace(pace, most, nowMs, random);
  if (place !== undefined && (lane === 'slow' || !isKnownSlow))
    return { kind: 'free', place, callsAtOnce: Math.min(share.callsAtOnce, Math.floor(window / most)) };
  if (!isKnownSlow) return { kind: 'busy' };
  return { kind: 'slow', everyMs: place === undefined ? Math.ceil(lastMs / slowLines) : 0 };
};

/** The decision at a host of several subscriptions, which may be slow for some of them and quick for others. */
export const judgeAtHost = (pace: Pick<Pace, 'lines'>, lane: Lane, nowMs: number, random = Math.random()): Verdict => {
  const place = freePlace(pace, atHost.lines[lane], nowMs, random);
  if (place !== undefined) return { kind: 'free', place, callsAtOnce: atHost.callsAtOnce };
  const ages = [...pace.lines.values()].map((line) => ageOf(line, nowMs));
  if (lane === 'fast' && Math.min(...ages) <= crowdedAfterMs) return { kind: 'busy' };
  return { kind: 'slow', everyMs: Math.ceil(longestAnswerMs / atHost.lines.slow) };
};

/**
 * Whether a line of one call may go to a host without a place: no other line is at its subscription, so each of these few has one such call at
 * most, and nobody has a place at the host. At a trickle, a place would cost more than the delivery.
 */
export const mayGoAlone = (
  jobs: number,
  subscriptions: number,
  { own, host }: { readonly own: Pick<Pace, 'lines'>; readonly host: Pick<Pace, 'lines'> },
  nowMs: number,
): boolean => {
  const alive = ({ lines }: Pick<Pace, 'lines'>) => [...lines.values()].filter((line) => !isDead(line, nowMs)).length;
  return jobs === 1 && subscriptions <= fewSubscriptions && alive(own) <= 1 && alive(host) === 0;
};

/** So long after it began, nobody takes a line for dead, by whichever clock. */
const staysWithinMs = 5_000;

/** Whether a line that has recorded all of its few deliveries may stay in its place: there is nothing to tell of a target that is quick, as it was. */
export const mayStay = (
  { slowUntilMs }: Pick<Pace, 'slowUntilMs'>,
  line: string,
  tookMs: number,
  nowMs: number,
): boolean => slowUntilMs === 0 && tookMs <= quickWithinMs && ageOf(line, nowMs) < staysWithinMs;

export const isSlow = (tookMs: number): boolean => tookMs > slowAfterMs;

/** Until when a target counts as slow after a line. */
export const slowUntil = (tookMs: number, nowMs: number): number => (isSlow(tookMs) ? nowMs + slowForMs : 0);

/** The window after a line with this many answers, the slowest of which took this long. */
export const windowAfter = (window: number, tookMs: number, answers: number): number => {
  if (isSlow(tookMs)) return Math.max(fewestCalls, Math.floor(window / 2));
  return tookMs <= quickWithinMs ? Math.min(mostCalls, window + answers) : window;
};

/** Subscriptions share a host however their urls write it. */
export const hostOf = (url: string): string => new URL(url).hostname.replace(/\.$/, '');
