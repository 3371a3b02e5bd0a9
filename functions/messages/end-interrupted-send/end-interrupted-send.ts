import { log } from '../../../shared/kit/log.ts';
import { failures, unsentFailure } from '../../../shared/messages/failures.ts';
import type { InterruptedJob } from '../../../shared/messages/jobs.ts';
import type { AccountStore } from '../../../shared/table/accounts/account-store.ts';
import type { MessageStore } from '../../../shared/table/messages/message-store.ts';

export interface EndInterruptedSendNeeds {
  readonly accounts: Pick<AccountStore, 'find'>;
  readonly messages: Pick<MessageStore, 'find' | 'fail' | 'leaveUnconfirmed'>;
}

/**
 * Ends a message that is still `sending` when no run can be at work on it any more. One that no provider has taken fails, and its price is
 * given back; a text that its provider may have taken counts as sent, unconfirmed, and keeps its price.
 */
export const endInterruptedSend =
  ({ accounts, messages }: EndInterruptedSendNeeds) =>
  async (job: InterruptedJob, nowMs: number): Promise<void> => {
    const account = await accounts.find(job.account);
    if (!account) return;
    const message = await messages.find(account.ref, job.message, job.channel);
    if (message?.status !== 'sending' || message.isHeld) return;
    // An email that was begun again is watched anew.
    if (!message.isUncertain && nowMs <= (message.claimedUntilMs ?? 0)) return;
    const isEnded = message.isUncertain
      ? await messages.leaveUnconfirmed(account.ref, message, nowMs)
      : await messages.fail(
          account.ref,
          message,
          'sendInterrupted',
          unsentFailure(message, failures.interrupted, nowMs),
          nowMs,
        );
    const { id: messageId, channel, isUncertain } = message;
    log('warn', 'interrupted send', { messageId, channel, isUncertain, isEnded });
  };
