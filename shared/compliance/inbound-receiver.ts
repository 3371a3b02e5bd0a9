import type { KeptContact } from '../contacts/contact.ts';
import { afterRequest } from '../contacts/reaction.ts';
import type { AccountRef } from '../kit/account-ref.ts';
import { iso } from '../kit/time.ts';
import type { TextChannel } from '../messages/message.ts';
import { knownPhone } from '../messages/recipient.ts';
import { type ConsentEntry, overrides, standing } from './consent.ts';
import { keywordIn } from './keywords.ts';

/** A message that a recipient wrote to an account. */
export interface Inbound {
  readonly channel: TextChannel;
  /** The sender's phone. A message of a sender without an E.164 number, for example a name, is ignored, because no text can be sent to it. */
  readonly from: string;
  readonly text: string;
  /** When it was written; never later than now. */
  readonly atMs: number;
  /** The provider's id. A message may be received twice. */
  readonly id: string;
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
    ): Promise<boolean>;
    recordForPhone(account: AccountRef, phone: string, entry: ConsentEntry): Promise<boolean>;
  };
  readonly windows: {
    open(account: AccountRef, phone: string, atMs: number): Promise<void>;
    close(account: AccountRef, phone: string, atMs: number): Promise<void>;
  };
}

const entryFor = ({ channel, text, atMs, id }: Inbound, asked: 'stop' | 'start'): ConsentEntry => ({
  id: `${channel}/${id}`,
  channel,
  status: asked === 'stop' ? 'withdrawn' : 'active',
  source: 'keyword',
  text,
  by: 'recipient',
  at: iso(atMs),
});

/** Applies inbound messages to opt-outs, consents and windows. Repetition and order do not change the effect. */
export const inboundReceiver = ({ contacts, consents, windows }: Needs) => {
  /**
   * Changes opt-out, consent and contact together. Only the latest request on any channel changes the contact. For a phone without a
   * contact only the opt-out is stored.
   */
  const apply = async (
    account: AccountRef,
    inbound: Inbound,
    phone: string,
    asked: 'stop' | 'start',
  ): Promise<void> => {
    const entry = entryFor(inbound, asked);
    const contactId = await contacts.idByAddress(account, { phone });
    const isRecorded =
      contactId === undefined
        ? await consents.recordForPhone(account, phone, entry)
        : await consents.record(account, contactId, entry, (before, earlier) => {
            if (before.phone !== phone) return undefined;
            const isLast = overrides(entry, standing(earlier.filter(({ by }) => by === 'recipient')));
            return isLast ? afterRequest(before, asked, inbound.atMs) : before;
          });
    // The phone has come to a contact, or to another one, meanwhile.
    if (!isRecorded) await apply(account, inbound, phone, asked);
  };

  return {
    /**
     * A keyword opts the sender's phone out or in, and changes a known sender's consent on this channel; on whatsapp every message but STOP
     * opens the 24-hour window. Both also for a phone without a contact.
     */
    receive: async (account: AccountRef, inbound: Inbound): Promise<void> => {
      const phone = knownPhone(inbound.from);
      if (phone === undefined) return;
      const keyword = keywordIn(inbound.text);
      if (inbound.channel === 'whatsapp') {
        await windows[keyword === 'stop' ? 'close' : 'open'](account, phone, inbound.atMs);
      }
      if (keyword === 'stop' || keyword === 'start') await apply(account, inbound, phone, keyword);
    },
  };
};

export type InboundReceiver = ReturnType<typeof inboundReceiver>;
