import { randomUUID } from 'node:crypto';
import type { Queue } from '../../../shared/aws/queue.ts';
import type { AccountRef } from '../../../shared/kit/account-ref.ts';
import { InternalError } from '../../../shared/kit/internal-error.ts';
import { causeOf, log } from '../../../shared/kit/log.ts';
import { longestRunMs } from '../../../shared/kit/longest-run.ts';
import { isExpired } from '../../../shared/messages/failures.ts';
import type { InterruptedJob, TextJob } from '../../../shared/messages/jobs.ts';
import type { TextChannel } from '../../../shared/messages/message.ts';
import type { MessageLinks } from '../../../shared/messages/message-link.ts';
import { mayWaitOn, retrySeconds } from '../../../shared/messages/text-retries.ts';
import type { TextSendStore } from '../../../shared/table/messages/text-send-store.ts';
import { type CallProviderNeeds, callProvider } from './call-provider.ts';
import type { TriedProvider } from './hung-providers.ts';
import { type Again, type Next, untilExpiry } from './next-step.ts';

export interface SendOneNeeds extends CallProviderNeeds {
  readonly textSends: Pick<TextSendStore, 'pickUp' | 'releaseClaim' | 'undoAttempt' | 'fail'>;
  readonly messageLinks: MessageLinks;
  readonly textQueues: Readonly<Record<TextChannel, Queue<TextJob>>>;
  /** Messages that end unless a report arrives. */
  readonly interruptedSendsQueue: Queue<InterruptedJob>;
  readonly giveUpSeconds: number;
}

/** A message is ended only when the claim of the run that called its provider has run out. */
const leastReportSeconds = longestRunMs / 1_000 + 1;

/** In a row, over three quarters of an hour. After that the job fails, and `end-interrupted-send` ends the message with what the job knows. */
const mostTableFailures = 12;

/**
 * Sends one text by its provider, unless it is sent already or another run is processing it. After a run that crashed during the call, the
 * provider is called again only if it is idempotent; otherwise the text waits for a report.
 */
export const sendOne = ({ textQueues, interruptedSendsQueue, giveUpSeconds, messageLinks, ...needs }: SendOneNeeds) => {
  const { textSends, clock } = needs;
  const callWithClaimed = callProvider(needs);

  const attempt = async (account: AccountRef, provider: TriedProvider | undefined, job: TextJob): Promise<Next> => {
    const reportUrl = await messageLinks.urlFor('sms-report', account, job.message);
    const token = randomUUID();
    const nowMs = clock();
    const { waitedMs, expiresMs } = job;
    const restMs = provider?.restMs() ?? 0;
    // Without a look at the text, which costs two writes.
    if (restMs > 0 && mayWaitOn(waitedMs) && !isExpired({ expiresMs }, nowMs))
      return { kind: 'again', seconds: untilExpiry(Math.ceil(restMs / 1_000), job, nowMs), isHeldUp: true };
    const wishes = { token, isRepeatable: provider?.takesReference ?? false, nowMs };
    const picked = await textSends.pickUp(account, job, wishes).catch((thrown: unknown) => {
      log('error', 'a text could not be claimed', { messageId: job.message, ...causeOf(thrown) });
    });
    // The claim may have been written, and its answer lost: nothing was called under it.
    if (!picked) return { kind: 'unwritten', known: { unusedClaim: token } };
    switch (picked.kind) {
      case 'claimed':
        return callWithClaimed({ account, provider, reportUrl, claimed: picked, job });
      case 'claimed-elsewhere':
        return { kind: 'again', seconds: Math.ceil((picked.untilMs + 1 - nowMs) / 1_000) };
      case 'uncertain':
        return { kind: 'await-report' };
      case 'over':
        return { kind: 'nothing' };
    }
  };

  /** A spare job ends where its text waits, unless it is old: the first one usually waits as well, else a later round brings another. */
  const comeAgain = async (job: TextJob, { seconds, isHeldUp = false }: Again): Promise<void> => {
    if (job.isSpare && !job.isOld && isHeldUp) return;
    const { waitedMs = 0 } = job;
    const again = isHeldUp ? { ...job, waitedMs: waitedMs + seconds * 1_000 } : job;
    await textQueues[job.channel].send([again], { delaySeconds: seconds });
  };

  /** The job that is left when the table fails carries what is known. */
  const writeLater = async (job: TextJob, tableFailures: number): Promise<void> => {
    if (tableFailures > mostTableFailures) throw new InternalError('the table failed too often', { tableFailures });
    const delaySeconds = retrySeconds(tableFailures, 0, needs.random());
    await textQueues[job.channel].send([{ ...job, tableFailures }], { delaySeconds });
  };

  return async (account: AccountRef, provider: TriedProvider | undefined, job: TextJob): Promise<void> => {
    const next = await attempt(account, provider, job);
    const { account: accountId, message, channel, expiresMs, price, isSpare, isOld, waitedMs } = job;
    const again: TextJob = { kind: 'text', account: accountId, message, channel, expiresMs, price, waitedMs };
    switch (next.kind) {
      case 'nothing':
        return;
      case 'await-report':
        return interruptedSendsQueue.send([{ account: accountId, message, channel }], {
          delaySeconds: Math.max(giveUpSeconds, leastReportSeconds),
        });
      case 'again':
        return comeAgain({ ...again, isSpare, isOld }, next);
      case 'unwritten':
        return writeLater({ ...again, ...next.known }, (job.tableFailures ?? 0) + 1);
    }
  };
};
