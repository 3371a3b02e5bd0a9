import type { Queue } from '../../../shared/aws/queue.ts';
import { groupOfAll } from '../../../shared/kit/job-group.ts';
import type { AttemptStore, LoadedGroup } from '../../../shared/table/webhooks/attempt-store.ts';
import type { PaceStore } from '../../../shared/table/webhooks/pace-store.ts';
import type { DeliveryJob } from '../../../shared/webhooks/jobs.ts';
import { isSlow, type Lane } from '../../../shared/webhooks/pace.ts';
import type { Guard } from '../../../shared/work/queue-worker.ts';
import { type LeaveLeaseNeeds, leaveLease } from './leave-lease.ts';
import { type RunLeaseNeeds, runLease } from './run-lease.ts';
import { takeLease } from './take-lease.ts';

export interface AttemptDeliveryNeeds extends RunLeaseNeeds, LeaveLeaseNeeds {
  readonly attempts: Pick<AttemptStore, 'load' | 'keep' | 'cancel' | 'record' | 'countAlone'>;
  readonly paces: Pick<
    PaceStore,
    'enter' | 'warn' | 'leave' | 'giveUp' | 'endFailing' | 'failSince' | 'appoint' | 'endOf'
  >;
  readonly laneQueues: Readonly<Record<Lane, Queue<DeliveryJob>>>;
}

export const groupOf = ({ account, webhook, lane }: DeliveryJob) => ({ account, webhook, lane });

/**
 * Makes attempts of deliveries to one subscription, and counts them together. Those that get no lease, or are left when theirs has lasted long
 * enough, come again: in the slow lane where the target takes long, and stored by then.
 */
export const attemptDelivery = ({ laneQueues, ...needs }: AttemptDeliveryNeeds) => {
  const { attempts, paces, clock } = needs;
  const run = runLease(needs);
  const leave = leaveLease(needs);

  const sendAgain = async (
    jobs: readonly DeliveryJob[],
    all: LoadedGroup,
    { lane, delaySeconds = 0 }: { readonly lane: Lane; readonly delaySeconds?: number },
  ): Promise<void> => {
    if (jobs.length === 0) return;
    const loaded = lane === 'slow' ? jobs.flatMap((job) => all.delivery(job) ?? []) : [];
    await Promise.all(loaded.map(attempts.keep));
    const again = jobs.map((job) => ({ ...job, lane }));
    await laneQueues[lane].send(again, { delaySeconds });
  };

  return async (jobs: readonly DeliveryJob[], guard: Guard<DeliveryJob>): Promise<void> => {
    const group = groupOfAll(jobs, groupOf);
    const { lane } = group;
    const all = await attempts.load(jobs);
    if (!all) return;
    const asked = { url: all.target.url, read: all, deliveries: jobs.map(({ delivery }) => delivery) };
    const taken = await takeLease(paces, group, asked, clock);
    if (taken.kind === 'later') return sendAgain(jobs, all, taken);
    const leased = { jobs, all, lease: taken.lease, lane, guard };
    const ran = await run(leased);
    await leave(leased, ran);
    await sendAgain(ran.rest, all, { lane: isSlow(ran.learnt.longestMs) ? 'slow' : lane });
  };
};
