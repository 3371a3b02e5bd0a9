import { reacted } from '../../contacts/reaction.ts';
import type { AccountRef } from '../../kit/account-ref.ts';
import type { Vault } from '../../kit/cipher.ts';
import { moveBy, permits, type Trigger } from '../../messages/moves.ts';
import type { ContactStore } from '../contacts/contact-store.ts';
import { changeWrites } from '../contacts/contact-writes.ts';
import type { Table } from '../table.ts';
import { type Failure, moveUpdate } from './message-items.ts';
import type { MessageStore } from './message-store.ts';

export interface Outcome {
  readonly trigger: Trigger;
  readonly failure?: Failure;
}

interface Needs {
  readonly messages: MessageStore;
  readonly contacts: ContactStore;
}

/** What becomes of messages at their recipients, and what that tells of the contacts. */
export const outcomeStore = (table: Table, vault: Vault, { messages, contacts }: Needs) => {
  /**
   * Moves a message and changes its contact with it, in one transaction: told again, or in another order, the same outcome counts once.
   * Gives false when there is no such message or its status does not permit the move.
   */
  const record = async (account: AccountRef, messageId: string, outcome: Outcome, nowMs: number): Promise<boolean> => {
    const { trigger, failure } = outcome;
    const message = await messages.find(account, messageId);
    if (!message || !permits(trigger, message)) return false;
    const before = message.contactId === undefined ? undefined : await contacts.find(account, message.contactId);
    const after = before && reacted(before, moveBy(trigger).to, nowMs);
    const cipher = await vault.unlock(account);
    const refused = await table.transact([
      { Update: moveUpdate(account.id, cipher, message, trigger, nowMs, failure) },
      ...(before && after && after !== before ? changeWrites(account.id, cipher, before, after) : []),
    ]);
    // Somebody else has just changed one of the two: what is there now decides.
    return refused ? record(account, messageId, outcome, nowMs) : true;
  };

  return {
    record,

    /**
     * Takes the recipient's will into account whatever has become of the message, also where the platform believes that it never left.
     * Gives false when there is no such message.
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

export type OutcomeStore = ReturnType<typeof outcomeStore>;
