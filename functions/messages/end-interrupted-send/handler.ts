import { groupOfAll } from '../../../shared/kit/job-group.ts';
import type { Clock } from '../../../shared/kit/time.ts';
import type { EndJob } from '../../../shared/messages/jobs.ts';
import type { AccountStore } from '../../../shared/table/accounts/account-store.ts';
import type { MessageStore } from '../../../shared/table/messages/message-store.ts';
import type { Guard } from '../../../shared/work/queue-worker.ts';
import { type EndCutOffSendNeeds, endCutOffSend } from './end-cut-off-send.ts';
import { type EndUnsentTextNeeds, endUnsentText } from './end-unsent-text.ts';

export interface EndInterruptedSendNeeds extends EndCutOffSendNeeds, EndUnsentTextNeeds {
  readonly accounts: Pick<AccountStore, 'refOf'>;
  readonly messages: Pick<MessageStore, 'readEach' | 'removeUnused'> &
    EndCutOffSendNeeds['messages'] &
    EndUnsentTextNeeds['messages'];
}

export const groupOf = ({ account }: EndJob) => ({ account });

/**
 * Ends messages of an account that no worker handles any more: sends that were cut off, and texts whose worker failed too often. Most sends were
 * not, so their messages are read together. What a send stored beside a message that it did not accept is deleted.
 */
export const endInterruptedSend = (needs: EndInterruptedSendNeeds, clock: Clock) => {
  const { accounts, messages } = needs;
  const [endCutOff, endUnsent] = [endCutOffSend(needs), endUnsentText(needs)];

  return async (jobs: readonly EndJob[], guard: Guard<EndJob>): Promise<void> => {
    const account = await accounts.refOf(groupOfAll(jobs, groupOf).account);
    const sends = jobs.flatMap((job) => ('kind' in job ? [] : { job, id: job.message, channel: job.channel }));
    const read = account ? await messages.readEach(account, sends) : [];
    for (const [n, { job }] of sends.entries())
      await guard(job, async () => account && endCutOff(account, read[n]?.row, job, clock()));
    for (const job of jobs) {
      if (!('kind' in job)) continue;
      await guard(job, async () =>
        job.kind === 'text'
          ? endUnsent(account, job, clock())
          : account && messages.removeUnused(account, { id: job.message, channel: job.channel }, job.body),
      );
    }
  };
};
