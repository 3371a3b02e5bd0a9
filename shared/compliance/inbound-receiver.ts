import type { KeptContact } from '../contacts/contact.ts';
import { afterRequest } from '../contacts/reaction.ts';
import type { AccountRef } from '../kit/account-ref.ts';
import { iso } from '../kit/time.ts';
import type { TextChannel } from '../messages/message.ts';
import type { MessageFilter } from '../messages/message-filter.ts';
import { permits } from '../messages/moves.ts';
import type { AcceptedMessage } from '../messages/new-message.ts';
import { knownPhone } from '../messages/recipient.ts';
import { type ConsentEntry, overrides, standing } from './consent.ts';
import { keywordIn } from './keywords.ts';

/** A message that a recipient wrote to an account. */
export interface Inbound {
  readonly channel: TextChannel;
  /** The sender's phone. A message of a sender without an E.164 number, for example a name, is ignored, because no text can be sent to it. */
  readonly from: string;
  readonly text: string;
  /** It was not written, but stood on a button or in a list. */
  readonly isChosen?: boolean;
  /** When it was written; never later than now. */
  readonly atMs: number;
  /** The provider's id. A message may be received twice. */
  readonly id: string;
  /** The ids of messages of which this is a repetition, if one of them was received. */
  readonly earlierIds?: readonly string[];
}

interface Needs {
  readonly contacts: {
    idByAddress(account: AccountRef, address: { readonly phone: string }): Promise<string | undefined>;
  };
  readonly consents: {
    record(
      account: AccountRef,
      contactId: string,
      entry: ConsentEntry,
      change: (before: KeptContact, earlier: readonly ConsentEntry[]) => KeptContact | undefined,
      repeats: readonly string[],
    ): Promise<boolean>;
    recordForPhone(
      account: AccountRef,
      phone: string,
      entry: ConsentEntry,
      repeats: readonly string[],
    ): Promise<boolean>;
  };
  readonly messages: {
    list(
      account: AccountRef,
      filter: MessageFilter,
      page: { readonly limit: number },
    ): Promise<{ readonly page: readonly AcceptedMessage[] }>;
    move(account: AccountRef, message: AcceptedMessage, trigger: 'optedOut', nowMs: number): Promise<unknown>;
  };
  readonly windows: {
    open(account: AccountRef, phone: string, atMs: number): Promise<void>;
    close(account: AccountRef, phone: string, atMs: number): Promise<void>;
  };
}

/** So many of the latest texts are searched for the one that a STOP answers: those that wait, or have failed, are not it. */
const searchedTexts = 100;

const entryId = (channel: TextChannel, id: string): string => `${channel}/${id}`;

const entryFor = ({ channel, text, atMs, id }: Inbound, asked: 'stop' | 'start'): ConsentEntry => ({
  id: entryId(channel, id),
  channel,
  status: asked === 'stop' ? 'withdrawn' : 'active',
  source: 'keyword',
  text,
  by: 'recipient',
  at: iso(atMs),
});

/** Applies inbound messages to opt-outs, consents and windows. Repetition and order do not change the effect. */
export const inboundReceiver = ({ contacts, consents, messages, windows }: Needs) => {
  /**
   * Changes opt-out, consent and contact together. Only the latest request on any channel changes the contact. For a phone without a
   * contact only the opt-out is stored. Gives the time of the request: that of its first arrival where a gateway says none.
   */
  const apply = async (
    account: AccountRef,
    inbound: Inbound,
    phone: string,
    asked: 'stop' | 'start',
  ): Promise<number> => {
    const entry = entryFor(inbound, asked);
    const repeats = (inbound.earlierIds ?? []).map((id) => entryId(inbound.channel, id));
    let askedAt = entry.at;
    const change = (before: KeptContact, earlier: readonly ConsentEntry[]): KeptContact | undefined => {
      if (before.phone !== phone) return undefined;
      askedAt = earlier.find(({ id }) => id === entry.id)?.at ?? entry.at;
      const isLast = overrides(entry, standing(earlier.filter(({ by }) => by === 'recipient')));
      return isLast ? afterRequest(before, asked, inbound.atMs) : before;
    };
    const contactId = await contacts.idByAddress(account, { phone });
    const isRecorded =
      contactId === undefined
        ? await consents.recordForPhone(account, phone, entry, repeats)
        : await consents.record(account, contactId, entry, change, repeats);
    // The phone has come to a contact, or to another one, meanwhile.
    return isRecorded ? Date.parse(askedAt) : apply(account, inbound, phone, asked);
  };

  /** Moves the text that a STOP answers: the last one on its channel that has left. A repeated STOP finds the same one. */
  const moveAnswered = async (
    account: AccountRef,
    { channel }: Inbound,
    phone: string,
    atMs: number,
  ): Promise<void> => {
    // Meta gives the time of a message in whole seconds.
    const filter = { to: { phone }, channel, createdBeforeMs: atMs + 999 };
    const { page } = await messages.list(account, filter, { limit: searchedTexts });
    const [answered] = page
      .filter(({ sentAt }) => sentAt !== null && Date.parse(sentAt) <= filter.createdBeforeMs)
      .filter((text) => text.status === 'unsubscribed' || permits('optedOut', text))
      .sort((a, b) => Date.parse(b.sentAt ?? '') - Date.parse(a.sentAt ?? ''));
    if (answered) await messages.move(account, answered, 'optedOut', atMs);
  };

  return {
    /**
     * A keyword opts the sender's phone out or in, and changes a known sender's consent on this channel; on whatsapp every message but STOP
     * opens the 24-hour window. Both also for a phone without a contact.
     */
    receive: async (account: AccountRef, inbound: Inbound): Promise<void> => {
      const phone = knownPhone(inbound.from);
      if (phone === undefined) return;
      const keyword = keywordIn(inbound.text, inbound);
      if (inbound.channel === 'whatsapp') {
        await windows[keyword === 'stop' ? 'close' : 'open'](account, phone, inbound.atMs);
      }
      if (keyword !== 'stop' && keyword !== 'start') return;
      const askedMs = await apply(account, inbound, phone, keyword);
      if (keyword === 'stop') await moveAnswered(account, inbound, phone, askedMs);
    },
  };
};

export type InboundReceiver = ReturnType<typeof inboundReceiver>;
