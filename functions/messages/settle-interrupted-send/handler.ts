import type { MessageJob } from '../../../shared/messages/jobs.ts';
import type { Accounts } from '../../../shared/table/account-storage.ts';
import type { Messages } from '../../../shared/table/message-storage.ts';

export interface SettleInterruptedSendNeeds {
  readonly accounts: Pick<Accounts, 'find'>;
  readonly messages: Pick<Messages, 'find' | 'fail'>;
}

const interruption = {
  code: 'send_interrupted',
  reason: 'The send was interrupted before the mail provider answered. The credit was given back.',
};

/** An email still `sending` when no request can be at work on it any more was cut off: it ends, and its credit goes back. */
export const settleInterruptedSend =
  ({ accounts, messages }: SettleInterruptedSendNeeds) =>
  async (job: MessageJob, nowMs: number): Promise<void> => {
    const account = await accounts.find(job.account);
    if (!account) return;
    const message = await messages.find(account.ref, job.message);
    if (message?.status !== 'sending') return;
    await messages.fail(account.ref, message, 'sendInterrupted', interruption, nowMs);
  };
