import type { AccountRef } from '../../../shared/kit/account-ref.ts';
import { type Failure, unsentFailure } from '../../../shared/messages/failures.ts';
import type { MessageRow } from '../../../shared/table/messages/message-items.ts';
import type { MessageStore } from '../../../shared/table/messages/message-store.ts';

/**
 * Ends a message that no run is at work on any more. One that its provider may have taken counts as sent, unconfirmed, and keeps its price; any
 * other fails, and its price is given back. False: it has moved on.
 */
export const giveUp = (
  messages: Pick<MessageStore, 'fail' | 'leaveUnconfirmed'>,
  account: AccountRef,
  message: MessageRow,
  failure: Failure,
  nowMs: number,
): Promise<boolean> =>
  message.isUncertain
    ? messages.leaveUnconfirmed(account, message, nowMs)
    : messages.fail(account, message, 'sendInterrupted', unsentFailure(message, failure, nowMs), nowMs);
