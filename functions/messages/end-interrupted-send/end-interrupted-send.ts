import type { AccountRef } from '../../../shared/kit/account-ref.ts';
import { log } from '../../../shared/kit/log.ts';
import { failures, unsentFailure } from '../../../shared/messages/failures.ts';
import type { StoredMessage } from '../../../shared/table/messages/message-items.ts';
import type { MessageStore } from '../../../shared/table/messages/message-store.ts';

export interface EndInterruptedSendNeeds {
  readonly messages: Pick<MessageStore, 'fail' | 'leaveUnconfirmed'>;
}

/**
 * Ends a message that is still `sending` when no run can be at work on it any more. One that no provider has taken fails, and its price is
 * given back; a text that its provider may have taken counts as sent, unconfirmed, and keeps its price.
 */
export const endInterruptedSend =
  ({ messages }: EndInterruptedSendNeeds) =>
  async (account: AccountRef, message: StoredMessage | undefined, nowMs: number): Promise<void> => {
    if (message?.status !== 'sending' || message.isHeld) return;
    // An email that was begun again is watched anew.
    if (!message.isUncertain && nowMs <= (message.claimedUntilMs ?? 0)) return;
    const isEnded = message.isUncertain
      ? await messages.leaveUnconfirmed(account, message, nowMs)
      : await messages.fail(
          account,
          message,
          'sendInterrupted',
          unsentFailure(message, failures.interrupted, nowMs),
          nowMs,
        );
    const { id: messageId, channel, isUncertain } = message;
    log('warn', 'interrupted send', { messageId, channel, isUncertain, isEnded });
  };
