import { log } from '../../../shared/kit/log.ts';
import { failures } from '../../../shared/messages/failures.ts';
import type { MessageJob } from '../../../shared/messages/jobs.ts';
import type { Accounts } from '../../../shared/table/account-storage.ts';
import type { Messages } from '../../../shared/table/message-storage.ts';

export interface SettleInterruptedSendNeeds {
  readonly accounts: Pick<Accounts, 'find'>;
  readonly messages: Pick<Messages, 'find' | 'fail'>;
}

/**
 * A message still `sending` was cut off when nobody can be at work on it any more and, if it may have left, no report has come: it ends, and
 * what it cost is given back.
 */
export const settleInterruptedSend =
  ({ accounts, messages }: SettleInterruptedSendNeeds) =>
  async (job: MessageJob, nowMs: number): Promise<void> => {
    const account = await accounts.find(job.account);
    if (!account) return;
    const message = await messages.find(account.ref, job.message);
    if (message?.status !== 'sending') return;
    const isEnded = await messages.fail(account.ref, message, 'sendInterrupted', failures.interrupted, nowMs);
    log('warn', 'interrupted send', { messageId: message.id, channel: message.channel, isEnded });
  };
