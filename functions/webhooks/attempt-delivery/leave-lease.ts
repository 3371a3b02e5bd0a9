import { ComesBack } from '../../../shared/kit/comes-back.ts';
import type { Clock } from '../../../shared/kit/time.ts';
import type { PaceStore } from '../../../shared/table/webhooks/pace-store.ts';
import { type PauseFailingNeeds, pauseFailing } from './pause-failing.ts';
import type { Leased, LeaseRun } from './run-lease.ts';

export interface LeaveLeaseNeeds extends PauseFailingNeeds {
  readonly paces: Pick<PaceStore, 'leave' | 'giveUp' | 'failSince'>;
  readonly clock: Clock;
}

/**
 * Counts what ran under a lease, and pauses a subscription whose deliveries have all failed for days. The jobs of a lease that was evicted, or does
 * not know what it recorded, come again, to be counted one by one.
 */
export const leaveLease = (needs: LeaveLeaseNeeds) => {
  const { paces, clock } = needs;
  const pause = pauseFailing(needs);

  return async ({ jobs, all, lease, guard }: Leased, { learnt, rest, doubted }: LeaseRun): Promise<void> => {
    const left = doubted.size === 0 ? await paces.leave(lease, learnt, clock()) : await paces.giveUp(lease);
    if (!left) {
      const uncounted = jobs.filter((job) => !rest.includes(job) && !doubted.has(job));
      const comeBack = () => Promise.reject(new ComesBack('the lease was evicted'));
      await Promise.all(uncounted.map((job) => guard(job, comeBack)));
    }
    const { lastFailedAt } = learnt.tally;
    // Not after one failed attempt: in a quiet week, the only failed delivery may be an old one.
    if (lastFailedAt !== undefined && left?.failingSince !== undefined)
      await pause(all.target, { failingSince: left.failingSince, lastFailedAt, lastSentAt: left.lastSentAt }, clock());
  };
};
