import {
  type ConsentChannel,
  type ConsentEntry,
  consentChannels,
  inForce,
  standing as standingOf,
} from '../../compliance/consent.ts';
import type { KeptContact } from '../../contacts/contact.ts';
import type { AccountRef } from '../../kit/account-ref.ts';
import type { Cipher, Vault } from '../../kit/cipher.ts';
import { textChannels } from '../../messages/message.ts';
import { type ItemKey, itemKeys, partitions } from '../keys.ts';
import type { Item, Table, Write } from '../table.ts';
import { contactFrom } from './contact-items.ts';
import { changeWrites, contactCheck } from './contact-writes.ts';
import { type KeptOptOut, optOutFrom, optOutKey, optOutWrites } from './opt-out-items.ts';

/** What an entry makes of its contact, given all entries before it; undefined when it is not about this contact after all. */
type Change = (before: KeptContact, earlier: readonly ConsentEntry[]) => KeptContact | undefined;

/** Every sort key of a contact's consents. */
const all = { from: '!', to: '~', newestFirst: false };

const place = ({ PK, SK }: ItemKey): string => `${PK}/${SK}/sealed`;

/** An entry's id may be a provider's, and those of whatsapp have the phone number in them: the key has its fingerprint. */
const entryItem = (accountId: string, cipher: Cipher, contactId: string, entry: ConsentEntry) => {
  const key = itemKeys.consentEntry(accountId, contactId, entry.channel, cipher.fingerprint('consent', entry.id));
  return { ...key, entity: 'consent-entry', sealed: cipher.seal(place(key), JSON.stringify(entry)) };
};

const entryFrom = (cipher: Cipher, { PK, SK, sealed }: Item): ConsentEntry =>
  JSON.parse(cipher.open(place({ PK: String(PK), SK: String(SK) }), sealed as Uint8Array)) as ConsentEntry;

const on = (channel: ConsentChannel, entries: readonly ConsentEntry[]) =>
  entries.filter((entry) => entry.channel === channel);

const entryWrite = (accountId: string, cipher: Cipher, contactId: string, entry: ConsentEntry): Write => ({
  Put: { Item: entryItem(accountId, cipher, contactId, entry), ConditionExpression: 'attribute_not_exists(PK)' },
});

/** True while no entry was added since. */
const asRead = (version: number) => ({
  ConditionExpression: 'attribute_not_exists(PK) OR version = :read',
  ExpressionAttributeValues: { ':read': version },
});

/** The attribute that says since when a channel's consent stands. */
export const consentTime = (channel: ConsentChannel) => `${channel}At` as const;

const headWrite = (key: ItemKey, version: number, entries: readonly ConsentEntry[]): Write => {
  const standing = consentChannels.map((channel) => [channel, standingOf(on(channel, entries))] as const);
  const statuses = Object.fromEntries(standing.map(([channel, entry]) => [channel, inForce(entry)]));
  const times = Object.fromEntries(standing.map(([channel, entry]) => [consentTime(channel), entry?.at]));
  const item = { ...key, entity: 'consents', version: version + 1, ...statuses, ...times };
  return { Put: { Item: item, ...asRead(version) } };
};

/** The end of a consent that was given for a phone that its contact no longer has. */
const phoneChange = (ended: ConsentEntry, { updatedAt }: KeptContact): ConsentEntry => ({
  id: `phone_changed/${updatedAt}`,
  channel: ended.channel,
  status: 'withdrawn',
  source: 'phone_changed',
  text: null,
  by: 'platform',
  at: updatedAt > ended.at ? updatedAt : ended.at,
});

/**
 * Who agreed to what: a ledger of entries for each contact and, beside it, one small item of what stands on each channel, which is all
 * that a send reads. Entries are never changed or taken away. What was said of sms and whatsapp is kept with the phone too, so that an
 * opt-out outlasts the contact.
 */
export const consentStore = (table: Table, vault: Vault) => {
  const read = async (account: AccountRef, contactId: string) => {
    const cipher = await vault.unlock(account);
    const items = await table.query(partitions.consents(account.id, contactId), all);
    const head = items.find(({ entity }) => entity === 'consents');
    const entries = items.filter((item) => item !== head).map((item) => entryFrom(cipher, item));
    return { cipher, version: Number(head?.['version'] ?? 0), entries };
  };

  const readOptOut = async (accountId: string, cipher: Cipher, phone: string): Promise<KeptOptOut> => {
    const key = optOutKey(accountId, cipher, phone);
    return optOutFrom(key, await table.get(key));
  };

  /**
   * Records an entry, keeps it with the contact's phone, and changes the contact by it: all or nothing, once for each id. The order of
   * arrival does not matter. Gives false when there is no such contact, or `change` says that the entry is not about it.
   */
  const record = async (
    account: AccountRef,
    contactId: string,
    entry: ConsentEntry,
    change: Change = (before) => before,
  ): Promise<boolean> => {
    const item = await table.get(itemKeys.contact(account.id, contactId));
    if (!item) return false;
    const { cipher, version, entries } = await read(account, contactId);
    const before = contactFrom(account.id, cipher, item);
    const after = change(before, entries);
    if (!after) return false;
    const optOut = before.phone === null ? undefined : await readOptOut(account.id, cipher, before.phone);
    const refused = await table.transact([
      entryWrite(account.id, cipher, contactId, entry),
      headWrite(itemKeys.consents(account.id, contactId), version, [...entries, entry]),
      ...(after === before ? [contactCheck(account.id, before)] : changeWrites(account.id, cipher, before, after)),
      ...(optOut ? optOutWrites(optOut, entry) : []),
    ]);
    const isKnown = refused?.failed.some(({ position }) => position === 0);
    // Somebody else has just written: what is there now decides.
    return refused && !isKnown ? record(account, contactId, entry, change) : true;
  };

  /** Keeps what the holder of a phone said that is no contact's. */
  const recordForPhone = async (account: AccountRef, phone: string, entry: ConsentEntry): Promise<void> => {
    const cipher = await vault.unlock(account);
    const writes = optOutWrites(await readOptOut(account.id, cipher, phone), entry);
    const refused = writes.length > 0 && (await table.transact(writes));
    if (refused) await recordForPhone(account, phone, entry);
  };

  /** Every entry, the latest first. */
  const list = async (account: AccountRef, contactId: string): Promise<ConsentEntry[]> =>
    (await read(account, contactId)).entries.sort((a, b) => (`${a.at} ${a.id}` < `${b.at} ${b.id}` ? 1 : -1));

  return {
    record,
    recordForPhone,
    list,

    /**
     * What goes with a contact's change to another phone, or to none: its consents to sms and whatsapp end, at most three writes. Refused
     * when a consent has been recorded since.
     */
    phoneChangeWrites: async (account: AccountRef, after: KeptContact): Promise<Write[]> => {
      const { cipher, version, entries } = await read(account, after.id);
      const head = itemKeys.consents(account.id, after.id);
      const given = textChannels.map((channel) => standingOf(on(channel, entries)));
      const ended = given.flatMap((entry) => (entry?.status === 'active' ? [phoneChange(entry, after)] : []));
      if (ended.length === 0) return [{ ConditionCheck: { Key: { ...head }, ...asRead(version) } }];
      return [
        ...ended.map((entry) => entryWrite(account.id, cipher, after.id, entry)),
        headWrite(head, version, [...entries, ...ended]),
      ];
    },

    /** The entry that stands on a channel; undefined when nothing was ever said. */
    standing: async (
      account: AccountRef,
      contactId: string,
      channel: ConsentChannel,
    ): Promise<ConsentEntry | undefined> => standingOf(on(channel, (await read(account, contactId)).entries)),
  };
};

export type ConsentStore = ReturnType<typeof consentStore>;
