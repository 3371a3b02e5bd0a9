import { goRound, type RoundJob } from '../../../shared/accounts/round.ts';
import type { Queue } from '../../../shared/aws/queue.ts';
import {
  messagePartitionsOf,
  openShards,
  type StrandedJob,
  type StrandedPartition,
  type UnreportedPartition,
  unreportedPartitionsOf,
} from '../../../shared/chores/stranded.ts';
import { log } from '../../../shared/kit/log.ts';
import type { Clock } from '../../../shared/kit/time.ts';
import { hourMs } from '../../../shared/kit/time-units.ts';
import { reportPatienceMs } from '../../../shared/messages/failures.ts';
import type { AccountStore } from '../../../shared/table/accounts/account-store.ts';
import type { UnreportedStore } from '../../../shared/table/messages/unreported-store.ts';
import { type BringBackNeeds, bringBack } from './bring-back.ts';

export interface FindStrandedNeeds extends BringBackNeeds {
  readonly accounts: Pick<AccountStore, 'page' | 'refOf'>;
  readonly unreported: Pick<UnreportedStore, 'markPage'>;
  readonly strandedWorkQueue: Queue<StrandedJob>;
  /** By it, a job ends before its function does. */
  readonly clock?: Clock;
}

/** Rounds may fail for this long without missing a message; a text that waited long for its time has a look of its own (`send-due.ts`). */
const lookBackMs = 24 * hourMs;
/** Once a day a round looks further back, for texts that waited long until they were sent: for their turn, or while all sending was paused. */
const longLookBackMs = 15 * 24 * hourMs;

const lookBackOf = (roundMs: number): number => (new Date(roundMs).getUTCHours() === 0 ? longLookBackMs : lookBackMs);

const deliveryPartitions = Array.from({ length: openShards }, (_, shard) => ({ entity: 'delivery', shard }) as const);

/**
 * Runs every hour over all accounts. It queues overdue work again, in case its job was lost, and sets `report_timeout` on texts that are
 * still `sent` after 72 hours. It reads only open work from the index, so ended work costs nothing. Workers skip work that is in progress
 * or done.
 */
export const findStranded = ({
  accounts,
  unreported,
  strandedWorkQueue,
  clock = Date.now,
  ...needs
}: FindStrandedNeeds) => {
  const bringBackFrom = bringBack(needs);

  const markFrom = async (
    partition: UnreportedPartition,
    roundMs: number,
    after: string,
  ): Promise<string | undefined> => {
    const account = await accounts.refOf(partition.account);
    if (!account) return undefined;
    const toMs = roundMs - reportPatienceMs;
    const page = { channel: partition.channel, fromMs: toMs - lookBackOf(roundMs), toMs, after };
    const { marked, next } = await unreported.markPage(account, page, roundMs);
    if (marked > 0)
      log('warn', 'texts without a report', { accountId: account.id, channel: partition.channel, marked });
    return next;
  };

  const sweep = async (partition: StrandedPartition, roundMs: number, after = ''): Promise<void> => {
    const next = await ('awaits' in partition
      ? markFrom(partition, roundMs, after)
      : bringBackFrom(partition, { after, roundMs }));
    if (next !== undefined) await strandedWorkQueue.send([{ place: partition, roundMs, after: next }]);
  };

  const visit = async ({ id }: { readonly id: string }, roundMs: number): Promise<void> => {
    const [first, ...others] = [...messagePartitionsOf(id), ...unreportedPartitionsOf(id)];
    const looked = first && sweep(first, roundMs);
    // It reads how the account's messages are spread, which the others then know: at once, each would read it. Where it fails, they do not.
    await Promise.allSettled([looked]);
    await Promise.all(others.map((partition) => sweep(partition, roundMs)));
    await looked;
  };

  return async (job: StrandedJob, nowMs: number): Promise<void> => {
    const { roundMs = nowMs } = job;
    if ('place' in job) return sweep(job.place, roundMs, job.after);
    const queueNext = (next: RoundJob) => strandedWorkQueue.send([{ ...next, roundMs }]);
    if (job.after === undefined) {
      await Promise.all(deliveryPartitions.map((partition) => sweep(partition, roundMs)));
      // A visit may take all the time that a job has.
      return queueNext({ after: '' });
    }
    await goRound({ page: accounts.page, visit: (account) => visit(account, roundMs), queueNext }, job, { clock });
  };
};
