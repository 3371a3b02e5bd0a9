import type { AccountRef } from '../kit/account-ref.ts';
import type { Failure } from '../messages/failures.ts';
import type { Channel } from '../messages/message.ts';
import { moveBy, permits, type Trigger } from '../messages/moves.ts';
import type { AcceptedMessage } from '../messages/new-message.ts';
import type { KeptContact } from './contact.ts';
import { reacted } from './reaction.ts';

export interface Outcome {
  readonly trigger: Trigger;
  /** The message's channel, where the source of the outcome says it. */
  readonly channel?: Channel;
  readonly failure?: Failure;
}

interface Needs {
  readonly messages: {
    find(
      account: AccountRef,
      id: string,
      channel?: Channel,
    ): Promise<(AcceptedMessage & { readonly contactId: string | undefined }) | undefined>;
    move(account: AccountRef, message: AcceptedMessage, trigger: Trigger, nowMs: number): Promise<unknown>;
    moveWithContact(
      account: AccountRef,
      message: AcceptedMessage,
      outcome: Outcome,
      contact: { readonly before: KeptContact; readonly after: KeptContact } | undefined,
      nowMs: number,
    ): Promise<boolean>;
  };
  readonly contacts: {
    find(account: AccountRef, id: string): Promise<KeptContact | undefined>;
    change(account: AccountRef, id: string, to: (before: KeptContact) => KeptContact): Promise<unknown>;
  };
}

/** Records the outcomes of messages on the messages and their contacts. */
export const outcomeRecorder = ({ messages, contacts }: Needs) => {
  /**
   * Moves a message and changes its contact with it, in one transaction: repeated, or in another order, the same outcome counts once.
   * Gives false when there is no such message or its status does not permit the move.
   */
  const record = async (account: AccountRef, messageId: string, outcome: Outcome, nowMs: number): Promise<boolean> => {
    const message = await messages.find(account, messageId, outcome.channel);
    if (!message || !permits(outcome.trigger, message)) return false;
    const before = message.contactId === undefined ? undefined : await contacts.find(account, message.contactId);
    const after = before && reacted(before, moveBy(outcome.trigger).to, nowMs);
    const contact = before && after && { before, after };
    const isRecorded = await messages.moveWithContact(account, message, outcome, contact, nowMs);
    // Another run changed one of the two, so read both again.
    return isRecorded || record(account, messageId, outcome, nowMs);
  };

  return {
    record,

    /**
     * Unsubscribes the contact for any status of the message, even if it was recorded as not sent. Returns false when the message is
     * unknown.
     */
    optOut: async (account: AccountRef, messageId: string, nowMs: number): Promise<boolean> => {
      const message = await messages.find(account, messageId);
      if (!message) return false;
      if (message.contactId !== undefined) {
        await contacts.change(account, message.contactId, (contact) => reacted(contact, 'unsubscribed', nowMs));
      }
      await messages.move(account, message, 'optedOut', nowMs);
      return true;
    },
  };
};

export type OutcomeRecorder = ReturnType<typeof outcomeRecorder>;
