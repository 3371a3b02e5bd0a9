import { log } from '../../../shared/kit/log.ts';
import { failures } from '../../../shared/messages/failures.ts';
import type { MessageJob } from '../../../shared/messages/jobs.ts';
import type { Accounts } from '../../../shared/table/account-storage.ts';
import type { Messages } from '../../../shared/table/message-storage.ts';

export interface SettleUnsentNeeds {
  readonly accounts: Pick<Accounts, 'find'>;
  readonly messages: Pick<Messages, 'find' | 'fail'>;
}

/**
 * Ends a text whose worker failed too often, and gives back what it cost. One that its provider has not taken could not be sent; of one that
 * it may have taken nobody knows. A job that names no account is parked in the end.
 */
export const settleUnsent =
  ({ accounts, messages }: SettleUnsentNeeds) =>
  async (job: MessageJob, nowMs: number): Promise<void> => {
    const account = await accounts.find(job.account);
    if (!account) throw new Error('no account has this id');
    const message = await messages.find(account.ref, job.message);
    if (message?.status !== 'queued' && message?.status !== 'sending') return;
    const failure = message.isUncertain ? failures.interrupted : failures.unavailable;
    const isEnded = await messages.fail(account.ref, message, 'sendInterrupted', failure, nowMs);
    if (!isEnded) throw new Error('a worker is at work on the message');
    log('error', 'text given up', { messageId: message.id, code: failure.code });
  };
