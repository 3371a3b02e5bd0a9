import { goRound, type RoundJob } from '../../../shared/accounts/round.ts';
import type { Queue } from '../../../shared/aws/queue.ts';
import { log } from '../../../shared/kit/log.ts';
import type { Accounts } from '../../../shared/table/account-storage.ts';
import type { Unreported } from '../../../shared/table/unreported-storage.ts';

export interface SettleUnreportedNeeds {
  readonly accounts: Pick<Accounts, 'page'>;
  readonly unreported: Unreported;
  readonly unreportedTexts: Queue<RoundJob>;
}

const hourMs = 60 * 60 * 1_000;
/** Carriers report within this time, or not at all. */
const patienceMs = 72 * hourMs;
/** As long as rounds may fail without a message being missed. */
const lookBackMs = 24 * hourMs;

/**
 * Every hour, of every account: texts that are still `sent` after 72 hours say that no report has come. Read are only those, in the index by
 * status, so a message that was reported costs nothing here.
 */
export const settleUnreported =
  ({ accounts, unreported, unreportedTexts }: SettleUnreportedNeeds) =>
  (job: RoundJob, nowMs: number): Promise<void> => {
    const toMs = nowMs - patienceMs;
    return goRound(
      {
        page: accounts.page,
        visit: async ({ id, ref }) => {
          const settled = await unreported.settle(ref, { fromMs: toMs - lookBackMs, toMs });
          if (settled > 0) log('warn', 'texts without a report', { account: id, settled });
        },
        goOn: (next) => unreportedTexts.send([next]),
      },
      job,
    );
  };
