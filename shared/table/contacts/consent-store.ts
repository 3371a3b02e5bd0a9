import {
  type ConsentChannel,
  type ConsentEntry,
  endedByPhoneChange,
  isLastWord,
  latestFirst,
  standingBefore,
  standingOn,
  surplusBefore,
} from '../../compliance/consent.ts';
import type { OptOut } from '../../compliance/opt-out.ts';
import type { KeptContact } from '../../contacts/contact.ts';
import type { AccountRef } from '../../kit/account-ref.ts';
import type { Cipher, Vault } from '../../kit/cipher.ts';
import { itemKeys, partitions } from '../keys.ts';
import type { Table, Write } from '../table.ts';
import { entryFrom, entryRemoval, entryWrite, headCheck, headWrite, versionOf } from './consent-items.ts';
import { contactFrom } from './contact-items.ts';
import { changeWrites, phoneCheck } from './contact-writes.ts';
import { hasHeard, heardOptOutFrom, optOutFrom, optOutKey, optOutWrites } from './opt-out-items.ts';
import { wordWrites } from './suppression-items.ts';

/** The contact after an entry, given all earlier entries; undefined when the entry does not concern this contact. */
type Change = (before: KeptContact, earlier: readonly ConsentEntry[]) => KeptContact | undefined;

const withoutPhone = { writes: [], version: undefined };

/** Every sort key of a contact's consents. */
const all = { from: '!', to: '~', newestFirst: false };

/**
 * Who agreed to what: a ledger of entries for each contact and, beside it, one small item of what stands on each channel, which is all
 * that a send reads. Entries never change, and only a recipient's own give way to more of them. Those of sms and whatsapp are stored with the phone too, so that an
 * opt-out outlasts the contact.
 */
export const consentStore = (table: Table, vault: Vault) => {
  const read = async (account: AccountRef, contactId: string) => {
    const cipher = await vault.unlock(account);
    const items = await table.query(partitions.consents(account.id, contactId), all);
    const head = items.find(({ entity }) => entity === 'consents');
    const entries = items.filter((item) => item !== head).map((item) => entryFrom(cipher, item));
    return { cipher, version: versionOf(head), entries };
  };

  /** What an entry changes of a phone's opt-out, and its version then; undefined when it, or one that it repeats, was kept with the phone before. */
  const keptWith = async (
    accountId: string,
    cipher: Cipher,
    phone: string | null,
    entry: ConsentEntry,
    repeats: readonly string[],
  ) => {
    if (phone === null) return withoutPhone;
    const key = optOutKey(accountId, cipher, phone);
    const optOut = heardOptOutFrom(key, await table.get(key));
    if (hasHeard(cipher, optOut, [entry.id, ...repeats])) return undefined;
    const writes = optOutWrites(cipher, optOut, entry);
    return { writes, version: optOut.version + writes.length };
  };

  /**
   * Records an entry, keeps it with the contact's phone, and changes the contact by it: all or nothing, once for each id. The order of
   * arrival does not matter. An entry that repeats one of these ids changes nothing. Gives false when there is no such contact, or `change` says
   * that the entry is not about it.
   */
  const record = async (
    account: AccountRef,
    contactId: string,
    entry: ConsentEntry,
    change: Change = (before) => before,
    repeats: readonly string[] = [],
  ): Promise<boolean> => {
    const item = await table.get(itemKeys.contact(account.id, contactId));
    if (!item) return false;
    const { cipher, version, entries } = await read(account, contactId);
    const before = contactFrom(account.id, cipher, item);
    const after = change(before, entries);
    if (!after) return false;
    const kept = await keptWith(account.id, cipher, before.phone, entry, repeats);
    if (!kept) return true;
    const consentVersions = kept.version === undefined ? undefined : { consents: version + 1, optOut: kept.version };
    const isLast = after.status === before.status && isLastWord(entry, entries, before);
    const refused = await table.transact([
      entryWrite(account.id, cipher, contactId, entry),
      headWrite(itemKeys.consents(account.id, contactId), version, [...entries, entry]),
      ...changeWrites(account.id, cipher, before, after, { consentVersions }),
      ...(isLast ? wordWrites(account.id, cipher, after, entry, standingBefore(entry, entries)) : []),
      ...kept.writes,
      ...surplusBefore(entry, entries).map((one) => entryRemoval(account.id, cipher, contactId, one)),
    ]);
    const isKnown = refused?.failed.some(({ position }) => position === 0);
    // Another write was first, so read again.
    return refused && !isKnown ? record(account, contactId, entry, change, repeats) : true;
  };

  /** Keeps an entry with a phone that no contact has. Gives false when a contact has it. */
  const recordForPhone = async (
    account: AccountRef,
    phone: string,
    entry: ConsentEntry,
    repeats: readonly string[] = [],
  ): Promise<boolean> => {
    const cipher = await vault.unlock(account);
    const { writes } = (await keptWith(account.id, cipher, phone, entry, repeats)) ?? withoutPhone;
    const refused = writes.length > 0 && (await table.transact([phoneCheck(account.id, cipher, phone), ...writes]));
    if (!refused) return true;
    const isHeld = refused.failed.some(({ position }) => position === 0);
    return isHeld ? false : recordForPhone(account, phone, entry, repeats);
  };

  return {
    record,
    recordForPhone,

    /** Every entry, the latest first. */
    list: async (account: AccountRef, contactId: string): Promise<ConsentEntry[]> =>
      latestFirst((await read(account, contactId)).entries),

    /** What has been said for a phone, by whichever contact had it. */
    optOutOf: async (account: AccountRef, phone: string | null): Promise<OptOut> =>
      phone === null ? {} : optOutFrom(await table.get(optOutKey(account.id, await vault.unlock(account), phone))).said,

    /** The entries that go with a contact's change to another phone, at most three writes. Refused when a consent has been recorded since. */
    phoneChangeWrites: async (account: AccountRef, after: KeptContact): Promise<Write[]> => {
      const { cipher, version, entries } = await read(account, after.id);
      const head = itemKeys.consents(account.id, after.id);
      const ended = endedByPhoneChange(entries, after.updatedAt);
      if (ended.length === 0) return [headCheck(head, version)];
      return [
        ...ended.map((entry) => entryWrite(account.id, cipher, after.id, entry)),
        headWrite(head, version, [...entries, ...ended]),
      ];
    },

    /** The current entry of a channel; undefined when there is none. */
    standing: async (
      account: AccountRef,
      contactId: string,
      channel: ConsentChannel,
    ): Promise<ConsentEntry | undefined> => standingOn(channel, (await read(account, contactId)).entries),
  };
};

export type ConsentStore = ReturnType<typeof consentStore>;
