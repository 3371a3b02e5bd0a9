import type { SqsHold } from './emulators/sqs-waits.ts';
import type { openQuietMoments } from './quiet-moment.ts';
import { dateAheadMs } from './shifted-date.ts';
import type { openStackClock } from './stack-clock.ts';

/** What a skip did. */
export interface Skipped {
  /** The stack's time now. */
  readonly now: string;
  readonly skippedSeconds: number;
  /** All skips together. */
  readonly aheadSeconds: number;
  /** What fell due: schedules, jobs that waited in queues, and items of the table past their TTL. */
  readonly due: { readonly schedules: number; readonly jobs: number; readonly expiredItems: number };
}

interface Parts {
  readonly clock: Pick<ReturnType<typeof openStackClock>, 'skip'>;
  readonly moments: Pick<ReturnType<typeof openQuietMoments>, 'next'>;
  readonly scheduler: { catchUp(): number };
  readonly sqs: { catchUp(skippedMs: number, held: SqsHold): number };
  readonly dynamodb: { sweepExpired(): Promise<number> };
  /** Whether a function is about to be called with this message. */
  readonly isHeld: SqsHold;
}

/** Longer than a function may take to start and to run. */
const patienceMs = 60_000;

/**
 * Moves the clock of the stack ahead, by the milliseconds `from` then, while no function runs: a running one would see its leases expire.
 * Undefined: functions kept running.
 */
export const timeSkip =
  ({ clock, moments, scheduler, sqs, dynamodb, isHeld }: Parts) =>
  async (from: (nowMs: number) => number): Promise<Skipped | undefined> => {
    const done = await moments.next(() => {
      const byMs = Math.max(0, from(Date.now()));
      clock.skip(byMs);
      return { byMs, due: { jobs: sqs.catchUp(byMs, isHeld), schedules: scheduler.catchUp() } };
    }, patienceMs);
    if (!done) return undefined;
    const expiredItems = await dynamodb.sweepExpired();
    return {
      now: new Date().toISOString(),
      skippedSeconds: done.byMs / 1_000,
      aheadSeconds: dateAheadMs() / 1_000,
      due: { ...done.due, expiredItems },
    };
  };
