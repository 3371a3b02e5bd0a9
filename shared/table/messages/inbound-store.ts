import { type ConsentEntry, overrides, standing } from '../../compliance/consent.ts';
import { keywordIn } from '../../compliance/keywords.ts';
import { heeded } from '../../contacts/reaction.ts';
import type { AccountRef } from '../../kit/account-ref.ts';
import type { Vault } from '../../kit/cipher.ts';
import { iso } from '../../kit/time.ts';
import type { TextChannel } from '../../messages/message.ts';
import { knownPhone } from '../../messages/recipient.ts';
import type { ConsentStore } from '../contacts/consent-store.ts';
import { phoneLockKey } from '../contacts/contact-items.ts';
import type { Table } from '../table.ts';
import type { WindowStore } from './window-store.ts';

/** What somebody wrote to an account. */
export interface Inbound {
  readonly channel: TextChannel;
  /** The sender's phone. What is no E.164 number, such as a name, cannot be written to, so it means nothing. */
  readonly from: string;
  readonly text: string;
  /** When it was written; never later than now. */
  readonly atMs: number;
  /** The provider's. The same message may be told again. */
  readonly id: string;
}

interface Needs {
  readonly consents: ConsentStore;
  readonly windows: WindowStore;
}

/** What inbound messages mean for who may be written to. Told twice or in any order, they leave the same behind. */
export const inboundStore = (table: Table, vault: Vault, { consents, windows }: Needs) => {
  /**
   * Changes opt-out, consent and contact together; the contact only by the last that its owner asked for, on whichever channel. Of somebody
   * unknown there is only the opt-out.
   */
  const heed = async (account: AccountRef, inbound: Inbound, phone: string, asked: 'stop' | 'start'): Promise<void> => {
    const { channel, text, atMs, id } = inbound;
    const cipher = await vault.unlock(account);
    const lock = await table.get(phoneLockKey(account.id, cipher, phone));
    const entry: ConsentEntry = {
      id: `${channel}/${id}`,
      channel,
      status: asked === 'stop' ? 'withdrawn' : 'active',
      source: 'keyword',
      text,
      by: 'recipient',
      at: iso(atMs),
    };
    if (!lock) return consents.recordForPhone(account, phone, entry);
    const isRecorded = await consents.record(account, String(lock['contactId']), entry, (before, earlier) => {
      if (before.phone !== phone) return undefined;
      const isLast = overrides(entry, standing(earlier.filter(({ by }) => by === 'recipient')));
      return isLast ? heeded(before, asked, atMs) : before;
    });
    // The phone has just changed hands.
    if (!isRecorded) await heed(account, inbound, phone, asked);
  };

  return {
    /**
     * A keyword opts the sender's phone out or in, and changes a known sender's consent on this channel; on whatsapp every message but STOP
     * opens the 24-hour window. Both also of somebody unknown.
     */
    receive: async (account: AccountRef, inbound: Inbound): Promise<void> => {
      const phone = knownPhone(inbound.from);
      if (phone === undefined) return;
      const keyword = keywordIn(inbound.text);
      if (inbound.channel === 'whatsapp') {
        await windows[keyword === 'stop' ? 'close' : 'open'](account, phone, inbound.atMs);
      }
      if (keyword === 'stop' || keyword === 'start') await heed(account, inbound, phone, keyword);
    },
  };
};

export type InboundStore = ReturnType<typeof inboundStore>;
