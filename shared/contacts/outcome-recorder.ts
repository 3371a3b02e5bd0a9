import type { AccountRef } from '../kit/account-ref.ts';
import { digestOf } from '../kit/digest.ts';
import type { RecordedFailure } from '../messages/failures.ts';
import type { Channel, Status } from '../messages/message.ts';
import { moveBy, permits, type Trigger } from '../messages/moves.ts';
import type { AcceptedMessage } from '../messages/new-message.ts';
import { addressIn, type Recipient } from '../messages/recipient.ts';
import type { KeptContact } from './contact.ts';
import { reacted } from './reaction.ts';
import { isHolder } from './search.ts';
import { reasonAfter, type SuppressionReason } from './suppression.ts';

export interface Outcome {
  readonly trigger: Trigger;
  /** The message's channel, where the source of the outcome says it. */
  readonly channel?: Channel;
  readonly failure?: RecordedFailure;
}

/** What decides whether a report concerns a message. */
interface Reported {
  readonly channel: Channel;
  readonly status: Status;
  readonly lateReports: readonly Status[];
}

type Sent = AcceptedMessage & Reported & { readonly contactId: string | undefined };

interface Needs {
  readonly messages: {
    find(account: AccountRef, id: string): Promise<Sent | undefined>;
    read(
      account: AccountRef,
      id: string,
      channel?: Channel,
    ): Promise<{ readonly row: Reported; open(): Promise<Sent | undefined> } | undefined>;
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
      to: (before: KeptContact) => KeptContact | undefined,
    ): Promise<{ readonly before: KeptContact; readonly after: KeptContact } | 'unconcerned' | undefined>;
    change(
      account: AccountRef,
      id: string,
      to: (before: KeptContact) => KeptContact,
    ): Promise<{ readonly contact: KeptContact } | { readonly taken: unknown } | undefined>;
    idByAddress(account: AccountRef, address: Recipient['contact']): Promise<string | undefined>;
  };
  readonly suppressions: {
    keep(
      account: AccountRef,
      entry: {
        readonly channel: Channel;
        readonly address: Recipient['contact'];
        readonly reason: SuppressionReason;
      },
      nowMs: number,
    ): Promise<void>;
  };
}

/** A message's status in few letters, for its contact to remember. */
const outcomeName = (messageId: string, to: Status): string => digestOf(`${messageId}#${to}`).slice(0, 11);

/** Undefined of a message whose recipient has been erased. */
const addressOf = ({ to }: Sent): Recipient['contact'] | undefined => (to === null ? undefined : addressIn(to));

/** What is kept of an outcome. Of a recipient who has been erased, no reason: it would not be found to be erased again. */
const keptOf = ({ contactId }: Sent, { failure, ...outcome }: Outcome): Outcome => {
  if (!failure) return outcome;
  return { ...outcome, failure: contactId === undefined ? { code: failure.code } : failure };
};

/** Whether the contact has the address that the message went to. */
const isAbout = (message: Sent, contact: KeptContact): boolean => {
  const address = addressOf(message);
  return address === undefined || isHolder(contact, address);
};

/** They are about the address more than about the message. */
const aboutAddress: readonly Trigger[] = ['addressRejected', 'complained'];

/** Whether an outcome that does not move the message still concerns its contact: once, as one that does. */
const isLateNews = ({ channel, status, lateReports }: Reported, trigger: Trigger): boolean => {
  const { to } = moveBy(trigger);
  return channel === 'email' && aboutAddress.includes(trigger) && status !== to && !lateReports.includes(to);
};

/** Records the outcomes of messages on the messages and their contacts. */
export const outcomeRecorder = ({ messages, contacts, suppressions }: Needs) => {
  /**
   * An outcome is about the address that a message went to: it applies to the message's contact or, if that has another address now, to the
   * contact that has this one. If there is none, the address itself is suppressed, before the message moves: a repetition adds nothing.
   */
  const applied = async <Applied>(
    account: AccountRef,
    message: Sent,
    { to, nowMs }: { readonly to: Status; readonly nowMs: number },
    apply: (contactId: string) => Promise<Applied | 'unconcerned'>,
  ): Promise<Applied | undefined> => {
    const { channel, contactId } = message;
    if (contactId === undefined) return undefined;
    const own = await apply(contactId);
    if (own !== 'unconcerned') return own;
    const address = addressOf(message);
    const holderId = address && (await contacts.idByAddress(account, address));
    const other = holderId === undefined ? 'unconcerned' : await apply(holderId);
    if (other !== 'unconcerned') return other;
    const reason = reasonAfter(channel, to);
    if (address && reason) await suppressions.keep(account, { channel, address, reason }, nowMs);
    return undefined;
  };

  /** A new consent ends an unsubscription, and the address is dead all the same: so its bounce is kept with the address itself. */
  const keepBounce = async (account: AccountRef, message: Sent, to: Status, nowMs: number): Promise<void> => {
    const { channel } = message;
    const [address, reason] = [addressOf(message), reasonAfter(channel, to)];
    if (address && reason === 'bounced') await suppressions.keep(account, { channel, address, reason }, nowMs);
  };

  /**
   * Moves a message and changes its contact: repeated, or in another order, the same outcome counts once. A contact's new status is written in
   * one transaction with the message, a new score alone before it, because that is cheap and a score is not exact. A bounce or a complaint that
   * finds the message opened or over leaves it there and changes the contact.
   * Gives false when there is no such message or its status does not permit the move.
   */
  const record = async (account: AccountRef, messageId: string, outcome: Outcome, nowMs: number): Promise<boolean> => {
    const read = await messages.read(account, messageId, outcome.channel);
    if (!read || !(permits(outcome.trigger, read.row) || isLateNews(read.row, outcome.trigger))) return false;
    const message = await read.open();
    if (!message) return false;
    const { to } = moveBy(outcome.trigger);
    const contact = await applied(account, message, { to, nowMs }, (contactId) =>
      contacts.scoreOnce(account, contactId, outcomeName(messageId, to), (before) =>
        isAbout(message, before) ? reacted(before, to, nowMs) : undefined,
      ),
    );
    if (contact?.after.status === 'unsubscribed') await keepBounce(account, message, to, nowMs);
    const isRecorded = await messages.moveWithContact(account, message, keptOf(message, outcome), contact, nowMs);
    // Another run changed one of the two, so read both again.
    return isRecorded || record(account, messageId, outcome, nowMs);
  };

  return {
    record,

    /**
     * Unsubscribes the contact for any status of the message, even if it was recorded as not sent. Where no contact has the address of the
     * message any more, it unsubscribes the address alone; where the recipient was erased, nothing. Undefined when the message is unknown.
     */
    optOut: async (
      account: AccountRef,
      messageId: string,
      nowMs: number,
    ): Promise<'contact' | 'address' | 'erased' | undefined> => {
      const message = await messages.find(account, messageId);
      if (!message) return undefined;
      if (message.to === null) return 'erased';
      const whom = await applied(account, message, { to: 'unsubscribed', nowMs }, async (contactId) => {
        const written = await contacts.change(account, contactId, (before) =>
          isAbout(message, before) ? reacted(before, 'unsubscribed', nowMs) : before,
        );
        return written && 'contact' in written && isAbout(message, written.contact) ? 'contact' : 'unconcerned';
      });
      await messages.move(account, message, 'optedOut', nowMs);
      return whom ?? 'address';
    },
  };
};

export type OutcomeRecorder = ReturnType<typeof outcomeRecorder>;
