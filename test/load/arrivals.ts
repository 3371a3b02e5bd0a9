import { setTimeout as sleep } from 'node:timers/promises';

/** What a rate of arrivals gave. Milliseconds count from the moment a request was due, so waiting for a busy caller counts too. */
export interface Load {
  readonly perSecond: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  readonly failures: number;
  /** Processor time of each request, in milliseconds. */
  readonly processorMs: number;
}

interface Rate {
  readonly perSecond: number;
  readonly seconds: number;
  /** The processor time so far, in milliseconds. */
  readonly usedMs: () => number;
}

/** The value that this share of the sorted values does not exceed. */
const quantile = (sorted: readonly number[], share: number): number =>
  Math.round(sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0);

/**
 * Asks at a fixed rate, however long answers take: a slow answer delays no later request, as it would with callers that wait. `ask` says
 * whether it was answered well; it may resolve late, for example when a webhook has arrived.
 */
const openLoop = async ({ perSecond, seconds, usedMs }: Rate, ask: (n: number) => Promise<boolean>): Promise<Load> => {
  const [began, usedBefore] = [performance.now(), usedMs()];
  const asked = Array.from({ length: perSecond * seconds }, async (_, n) => {
    const dueMs = began + (n * 1_000) / perSecond;
    await sleep(Math.max(0, dueMs - performance.now()));
    const isWell = await ask(n).catch(() => false);
    return { isWell, ms: performance.now() - dueMs };
  });
  const answers = await Promise.all(asked);
  const sorted = answers.map(({ ms }) => ms).sort((a, b) => a - b);
  return {
    perSecond,
    p50Ms: quantile(sorted, 0.5),
    p99Ms: quantile(sorted, 0.99),
    failures: answers.filter(({ isWell }) => !isWell).length,
    processorMs: (usedMs() - usedBefore) / answers.length,
  };
};

const warmSeconds = 2;

/** Doubles the rate until answers are too slow or fail, then tries the rates between; the last of the loads that went well is the most. */
export const rising = async (
  { mostMs, first, ...rate }: Omit<Rate, 'perSecond'> & { readonly mostMs: number; readonly first: number },
  ask: (n: number) => Promise<boolean>,
): Promise<Load[]> => {
  const isWell = ({ p99Ms, failures }: Load): boolean => p99Ms <= mostMs && failures === 0;
  const loads: Load[] = [];
  let [low, high, next] = [0, Number.POSITIVE_INFINITY, first];
  while (next > low * 1.15) {
    // Functions start when they are busy, which is no part of the figure.
    await openLoop({ ...rate, perSecond: next, seconds: warmSeconds }, ask);
    const load = await openLoop({ ...rate, perSecond: next }, ask);
    loads.push(load);
    if (isWell(load)) low = next;
    else high = next;
    if (low === 0) break;
    next = Math.floor(high === Number.POSITIVE_INFINITY ? low * 2 : (low + high) / 2);
  }
  return loads.filter(isWell).sort((a, b) => a.perSecond - b.perSecond);
};
