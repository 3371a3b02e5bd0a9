import { accountOfJob } from '../../../shared/accounts/job-account.ts';
import { groupOfAll } from '../../../shared/kit/job-group.ts';
import type { TextJob } from '../../../shared/messages/jobs.ts';
import type { TextChannel } from '../../../shared/messages/message.ts';
import type { TextProvider } from '../../../shared/providers/text/text-provider.ts';
import type { AccountStore, StoredAccount } from '../../../shared/table/accounts/account-store.ts';
import type { Guard } from '../../../shared/work/queue-worker.ts';
import { hungProviders } from './hung-providers.ts';
import { type SendOneNeeds, sendOne } from './send-one.ts';
import { type TakeTurnsNeeds, takeTurns } from './take-turns.ts';
import { type WriteKnownNeeds, writeKnown } from './write-known.ts';

export interface SendTextNeeds extends SendOneNeeds, TakeTurnsNeeds, WriteKnownNeeds {
  readonly accounts: Pick<AccountStore, 'find'>;
  readonly messages: SendOneNeeds['messages'] & WriteKnownNeeds['messages'];
  readonly textSends: SendOneNeeds['textSends'] & WriteKnownNeeds['textSends'];
  readonly providers: Readonly<Record<TextChannel, (account: StoredAccount) => TextProvider | undefined>>;
  readonly sleep: (ms: number) => Promise<unknown>;
}

export const groupOf = ({ account, channel }: TextJob) => ({ account, channel });

/**
 * Sends an account's texts of one channel by its provider, those of a batch in parallel. A text whose turn at a rate-limited sender is later
 * returns to the queue, or waits here for the rest of a second, which no delay of a queue can be. What a job knows is written without a turn,
 * which can be hours away.
 */
export const sendText = ({ accounts, providers, sleep, ...needs }: SendTextNeeds) => {
  const { clock } = needs;
  const write = writeKnown(needs);
  const send = sendOne(needs);
  const unlessItHangs = hungProviders(clock);
  return async (jobs: readonly TextJob[], guard: Guard<TextJob>): Promise<void> => {
    const group = groupOfAll(jobs, groupOf);
    const account = accountOfJob(group.account, await accounts.find(group.account));
    const areOpen = await Promise.all(jobs.map((job) => guard(job, () => write(account.ref, job))));
    const open = jobs.filter((_, n) => areOpen[n]);
    const chosen = providers[group.channel](account);
    const provider = chosen && unlessItHangs(`${group.account}#${group.channel}`, chosen);
    const due = await takeTurns(needs, group, account[group.channel].messagesPerSecond, open);
    await Promise.all(
      due.map(async ({ job, beginMs }) => {
        const restMs = beginMs - clock();
        if (restMs > 0) await sleep(restMs);
        await guard(job, () => send(account.ref, provider, job));
      }),
    );
  };
};
