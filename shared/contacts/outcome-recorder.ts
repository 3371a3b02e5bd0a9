import type { AccountRef } from '../kit/account-ref.ts';
import { digestOf } from '../kit/digest.ts';
import type { Failure } from '../messages/failures.ts';
import type { Channel, Status } from '../messages/message.ts';
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
    scoreOnce(
      account: AccountRef,
      id: string,
      outcome: string,
      to: (before: KeptContact) => KeptContact,
    ): Promise<{ readonly before: KeptContact; readonly after: KeptContact } | undefined>;
    change(account: AccountRef, id: string, to: (before: KeptContact) => KeptContact): Promise<unknown>;
  };
}

/** A message's status in few letters, for its contact to remember. */
const outcomeName = (messageId: string, to: Status): string => digestOf(`${messageId}#${to}`).slice(0, 11);

/** Records the outcomes of messages on the messages and their contacts. */
export const outcomeRecorder = ({ messages, contacts }: Needs) => {
  /**
   * Moves a message and changes its contact: repeated, or in another order, the same outcome counts once. A contact's new status is written in
   * one transaction with the message, a new score alone before it, because that is cheap and a score is not exact.
   * Gives false when there is no such message or its status does not permit the move.
   */
  const record = async (account: AccountRef, messageId: string, outcome: Outcome, nowMs: number): Promise<boolean> => {
    const message = await messages.find(account, messageId, outcome.channel);
    if (!message || !permits(outcome.trigger, message)) return false;
    const { to } = moveBy(outcome.trigger);
    const contact =
      message.contactId === undefined
        ? undefined
        : await contacts.scoreOnce(account, message.contactId, outcomeName(messageId, to), (before) =>
            reacted(before, to, nowMs),
          );
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
