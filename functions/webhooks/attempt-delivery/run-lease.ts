import type { AttemptStore, LoadedGroup } from '../../../shared/table/webhooks/attempt-store.ts';
import type { Learnt, Lease, PaceStore } from '../../../shared/table/webhooks/pace-store.ts';
import type { DeliveryJob } from '../../../shared/webhooks/jobs.ts';
import { goesOnForMs, type Lane } from '../../../shared/webhooks/pace.ts';
import { emptyTally, sumOf } from '../../../shared/webhooks/tally.ts';
import type { Guard } from '../../../shared/work/queue-worker.ts';
import { type AttemptOneNeeds, attemptOne, type Done, nothing } from './attempt-one.ts';
import { sideBySide } from './side-by-side.ts';
import { watchSlow } from './watch-slow.ts';

export interface RunLeaseNeeds extends AttemptOneNeeds {
  readonly attempts: Pick<AttemptStore, 'load' | 'cancel' | 'record' | 'countAlone'>;
  readonly paces: Pick<PaceStore, 'warn' | 'endFailing' | 'endOf'>;
}

/** Jobs of one subscription, and the lease under which they run. */
export interface Leased {
  readonly jobs: readonly DeliveryJob[];
  readonly all: LoadedGroup;
  readonly lease: Lease;
  readonly lane: Lane;
  readonly guard: Guard<DeliveryJob>;
}

export interface LeaseRun {
  readonly learnt: Learnt;
  /** Those that were left when the lease had lasted long enough. */
  readonly rest: readonly DeliveryJob[];
  /** Those of which it is not known whether their outcome was recorded. */
  readonly doubted: ReadonlySet<DeliveryJob>;
}

/** Runs jobs under their lease, as many side by side as their target takes. */
export const runLease = (needs: RunLeaseNeeds) => {
  const { attempts, paces, clock } = needs;
  const attempt = attemptOne(needs);

  return async ({ jobs, all, lease, lane, guard }: Leased): Promise<LeaseRun> => {
    const endMs = clock() + goesOnForMs[lane];
    const freshMs = clock() + goesOnForMs.fast;
    const watched = watchSlow((tookMs) => paces.warn(lease, tookMs, clock()));
    const doubted = new Set<DeliveryJob>();
    const surroundings = { lease, watched, doubt: (job: DeliveryJob) => void doubted.add(job) };
    const begin = async (job: DeliveryJob): Promise<Done> => {
      // A slow lease lasts for seconds: a secret that was replaced meanwhile, a pause or a deletion is in effect.
      const current = clock() < freshMs ? all : await attempts.load([job]);
      return current ? attempt(job, { ...surroundings, all: current }) : nothing;
    };
    const done: Done[] = [];
    const work = async (job: DeliveryJob) => void done.push((await guard(job, () => begin(job))) ?? nothing);
    const rest = await sideBySide(jobs, lease.callsAtOnce, () => clock() < endMs, work);
    return { learnt: learntFrom(done), rest, doubted };
  };
};

const learntFrom = (done: readonly Done[]): Learnt => {
  const took = done.flatMap(({ tookMs = [] }) => tookMs);
  return {
    longestMs: Math.max(0, ...took),
    answers: took.length,
    tally: done.map(({ tally }) => tally).reduce(sumOf, emptyTally),
  };
};
