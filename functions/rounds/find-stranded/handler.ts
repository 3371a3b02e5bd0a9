import { goRound } from '../../../shared/accounts/round.ts';
import {
  messagePlacesOf,
  type OpenPlace,
  openEntities,
  openShards,
  type Place,
  type StrandedJob,
} from '../../../shared/accounts/stranded.ts';
import type { Queue } from '../../../shared/aws/queue.ts';
import { log } from '../../../shared/kit/log.ts';
import type { AccountStore } from '../../../shared/table/accounts/account-store.ts';
import type { UnreportedStore } from '../../../shared/table/messages/unreported-store.ts';
import { type BringBackNeeds, bringBack } from './bring-back.ts';

export interface FindStrandedNeeds extends BringBackNeeds {
  readonly accounts: Pick<AccountStore, 'page'>;
  readonly unreported: UnreportedStore;
  readonly strandedWork: Queue<StrandedJob>;
}

const hourMs = 60 * 60 * 1_000;
/** Carriers report within this time, or not at all. */
const patienceMs = 72 * hourMs;
/** As long as rounds may fail without a message being missed. */
const lookBackMs = 24 * hourMs;

const openPlaces: readonly OpenPlace[] = openEntities.flatMap((entity) =>
  Array.from({ length: openShards }, (_, shard) => ({ entity, shard })),
);

/**
 * Every hour, of every account: queues again what has not ended in its time, in case its job was lost, and has texts that are still `sent`
 * after 72 hours say that no report has come. All is found by the index, so what has ended costs nothing here. A worker that is told of
 * what it, or another, is at work on, or has done, leaves it alone.
 */
export const findStranded = ({ accounts, unreported, strandedWork, ...needs }: FindStrandedNeeds) => {
  const bringBackFrom = bringBack(needs);

  const sweep = async (place: Place, roundMs: number, after = ''): Promise<void> => {
    const next = await bringBackFrom(place, { after, roundMs });
    if (next !== undefined) await strandedWork.send([{ place, roundMs, after: next }]);
  };

  const visit = async (
    { id, ref }: Pick<Awaited<ReturnType<AccountStore['page']>>[number], 'id' | 'ref'>,
    roundMs: number,
  ) => {
    const toMs = roundMs - patienceMs;
    const [marked] = await Promise.all([
      unreported.mark(ref, { fromMs: toMs - lookBackMs, toMs }),
      ...messagePlacesOf(id).map((place) => sweep(place, roundMs)),
    ]);
    if (marked > 0) log('warn', 'texts without a report', { account: id, marked });
  };

  return async (job: StrandedJob, nowMs: number): Promise<void> => {
    const { roundMs = nowMs } = job;
    if ('place' in job) return sweep(job.place, roundMs, job.after);
    if (job.after === undefined) await Promise.all(openPlaces.map((place) => sweep(place, roundMs)));
    const goOn: Parameters<typeof goRound>[0]['goOn'] = (next) => strandedWork.send([{ ...next, roundMs }]);
    await goRound({ page: accounts.page, visit: (account) => visit(account, roundMs), goOn }, job);
  };
};
