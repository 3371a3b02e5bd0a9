import type { Queue } from '../../../shared/aws/queue.ts';
import { Unavailable } from '../../../shared/kit/fault.ts';
import { groupOfAll } from '../../../shared/kit/job-group.ts';
import type { AttemptStore } from '../../../shared/table/webhooks/attempt-store.ts';
import type { Learnt, PaceStore } from '../../../shared/table/webhooks/pace-store.ts';
import type { DeliveryJob } from '../../../shared/webhooks/jobs.ts';
import { goesOnForMs, isSlow, type Lane } from '../../../shared/webhooks/pace.ts';
import { emptyTally, sumOf } from '../../../shared/webhooks/tally.ts';
import type { Guard } from '../../../shared/work/queue-worker.ts';
import { type AttemptOneNeeds, attemptOne, type Done, nothing } from './attempt-one.ts';
import { type PauseFailingNeeds, pauseFailing } from './pause-failing.ts';
import { sideBySide } from './side-by-side.ts';
import { takeLease } from './take-lease.ts';
import { watchSlow } from './watch-slow.ts';

export interface AttemptDeliveryNeeds extends AttemptOneNeeds, PauseFailingNeeds {
  readonly attempts: Pick<AttemptStore, 'load' | 'keep' | 'cancel' | 'record' | 'countAlone'>;
  readonly paces: Pick<PaceStore, 'enter' | 'warn' | 'leave' | 'giveUp' | 'appoint' | 'endOf'>;
  readonly laneQueues: Readonly<Record<Lane, Queue<DeliveryJob>>>;
}

export const groupOf = ({ account, webhook, lane }: DeliveryJob) => ({ account, webhook, lane });

/**
 * Makes attempts of deliveries to one subscription, as many side by side as its target takes, and counts them together. Those that get no lease, or
 * are left when their lease has lasted long enough, come again: in the slow lane where the target takes long, and stored by then; so do those
 * of a lease that was evicted, or does not know what it recorded, to be counted one by one. A subscription whose deliveries have all failed for days is
 * paused.
 */
export const attemptDelivery = ({ laneQueues, ...needs }: AttemptDeliveryNeeds) => {
  const { attempts, paces, clock } = needs;
  const attempt = attemptOne(needs);
  const pause = pauseFailing(needs);

  return async (jobs: readonly DeliveryJob[], guard: Guard<DeliveryJob>): Promise<void> => {
    const group = groupOfAll(jobs, groupOf);
    const all = await attempts.load(jobs);
    if (!all) return;

    const sendAgain = async (rest: readonly DeliveryJob[], lane: Lane, delaySeconds = 0): Promise<void> => {
      const loaded = lane === 'slow' ? rest.flatMap((job) => all.delivery(job) ?? []) : [];
      await Promise.all(loaded.map(attempts.keep));
      if (rest.length > 0)
        await laneQueues[lane].send(
          rest.map((job) => ({ ...job, lane })),
          { delaySeconds },
        );
    };

    const surrounding = { url: all.target.url, read: all, deliveries: jobs.map(({ delivery }) => delivery) };
    const taken = await takeLease(paces, group, surrounding, clock);
    if (taken.kind === 'later') return sendAgain(jobs, taken.lane, taken.delaySeconds);
    const { lease } = taken;
    const endMs = clock() + goesOnForMs[group.lane];
    const watched = watchSlow((tookMs) => paces.warn(lease, tookMs, clock()));
    const doubted = new Set<DeliveryJob>();
    const surroundings = { lease, watched, doubt: (job: DeliveryJob) => void doubted.add(job) };
    const freshMs = clock() + goesOnForMs.fast;
    const begin = async (job: DeliveryJob): Promise<Done> => {
      // A slow lease lasts for seconds: a secret that was replaced meanwhile, a pause or a deletion is in effect.
      const now = clock() < freshMs ? all : await attempts.load([job]);
      return now ? attempt(job, { ...surroundings, all: now }) : nothing;
    };
    const done: Done[] = [];
    const comeBack = (some: readonly DeliveryJob[]) =>
      Promise.all(some.map((job) => guard(job, () => Promise.reject(new Unavailable('the lease was evicted')))));
    const work = async (job: DeliveryJob) => void done.push((await guard(job, () => begin(job))) ?? nothing);
    const rest = await sideBySide(jobs, lease.callsAtOnce, () => clock() < endMs, work);
    const learnt = learntFrom(done);
    const left = doubted.size === 0 ? await paces.leave(lease, learnt, clock()) : await paces.giveUp(lease);
    if (!left) await comeBack(jobs.filter((job) => !rest.includes(job) && !doubted.has(job)));
    // Not after one failed attempt: in a quiet week, the only failed delivery may be an old one.
    if (learnt.tally.lastFailedAt !== undefined) await pause(all.target, left?.failingSince, clock());
    await sendAgain(rest, isSlow(learnt.longestMs) ? 'slow' : group.lane);
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
