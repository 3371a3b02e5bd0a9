import type { SqsHold } from './emulators/sqs-waits.ts';
import type { openQuietMoments } from './quiet-moment.ts';
import { dateAheadMs } from './shifted-date.ts';
import type { openStackClock } from './stack-clock.ts';

/** What a skip did. */
export interface Skipped {
  /** The stack's time now. */
  readonly now: string;
  readonly skippedSeconds: number;
  /** False: functions kept running, so only its first minute was skipped. */
  readonly isComplete: boolean;
  /** All skips together. */
  readonly aheadSeconds: number;
  /** What fell due: schedules, jobs that waited in queues, and items of the table past their TTL. */
  readonly due: { readonly schedules: number; readonly jobs: number; readonly expiredItems: number };
}

interface Parts {
  readonly clock: Pick<ReturnType<typeof openStackClock>, 'skip'>;
  readonly moments: Pick<ReturnType<typeof openQuietMoments>, 'next' | 'calm'>;
  readonly scheduler: { catchUp(): number };
  readonly sqs: { catchUp(skippedMs: number, held: SqsHold): number };
  readonly dynamodb: { sweepExpired(): Promise<number> };
  /** Whether a function is about to be called with this message. */
  readonly isHeld: SqsHold;
}

/** Longer than a function may take to start and to run. */
const patienceMs = 60_000;

/** How long the work that goes on is waited for: under steady requests there is always some. */
const calmWithinMs = 5_000;

/** Payments that were begun settle in it, before anything of a longer time expires. */
const firstStepMs = 60_000;

/**
 * Moves the clock of the stack ahead, by the milliseconds `from` then, while no function runs: a running one would see its leases expire. What
 * requests have begun is done before, a first minute is a step of its own, and items past their TTL are deleted when the work that fell due is done.
 * Where functions keep running, it ends after that minute. Undefined: it has not moved.
 */
export const timeSkip = ({ clock, moments, scheduler, sqs, dynamodb, isHeld }: Parts) => {
  const jump = (byMs: number) => {
    clock.skip(byMs);
    return { byMs, jobs: sqs.catchUp(byMs, isHeld), schedules: scheduler.catchUp() };
  };

  return async (from: (nowMs: number) => number): Promise<Skipped | undefined> => {
    await moments.calm(calmWithinMs);
    const first = await moments.next(() => {
      const allMs = Math.max(0, from(Date.now()));
      return { leftMs: allMs - firstStepMs, ...jump(Math.min(allMs, firstStepMs)) };
    }, patienceMs);
    if (!first) return undefined;
    await moments.calm(calmWithinMs);
    // Until an instant, it is less than that by now.
    const rest = () => jump(Math.min(first.leftMs, Math.max(0, from(Date.now()))));
    const second = first.leftMs > 0 ? await moments.next(rest, patienceMs) : undefined;
    if (second) await moments.calm(calmWithinMs);
    const expiredItems = await dynamodb.sweepExpired();
    return {
      now: new Date().toISOString(),
      skippedSeconds: (first.byMs + (second?.byMs ?? 0)) / 1_000,
      isComplete: first.leftMs <= 0 || second !== undefined,
      aheadSeconds: dateAheadMs() / 1_000,
      due: {
        jobs: first.jobs + (second?.jobs ?? 0),
        schedules: first.schedules + (second?.schedules ?? 0),
        expiredItems,
      },
    };
  };
};
