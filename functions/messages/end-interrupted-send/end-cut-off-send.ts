import type { AccountRef } from '../../../shared/kit/account-ref.ts';
import { log } from '../../../shared/kit/log.ts';
import { failures } from '../../../shared/messages/failures.ts';
import type { InterruptedJob } from '../../../shared/messages/jobs.ts';
import type { MessageRow } from '../../../shared/table/messages/message-items.ts';
import type { MessageStore } from '../../../shared/table/messages/message-store.ts';
import { giveUp } from './give-up.ts';

export interface EndCutOffSendNeeds {
  readonly messages: Pick<MessageStore, 'fail' | 'leaveUnconfirmed'>;
}

/** Gives up a message that is still `sending` when no run can be at work on it any more. */
export const endCutOffSend =
  ({ messages }: EndCutOffSendNeeds) =>
  async (
    account: AccountRef,
    message: MessageRow | undefined,
    { run }: Pick<InterruptedJob, 'run'>,
    nowMs: number,
  ): Promise<void> => {
    if (message?.status !== 'sending' || message.isHeld) return;
    // Its request was repeated, or another run began it.
    if (run !== undefined && run !== message.run) return;
    // An email that was begun again is watched anew.
    if (!message.isUncertain && nowMs <= (message.claimedUntilMs ?? 0)) return;
    const isEnded = await giveUp(messages, account, message, failures.interrupted, nowMs);
    const { id: messageId, channel, isUncertain } = message;
    log('warn', 'interrupted send', { messageId, channel, isUncertain, isEnded });
  };
