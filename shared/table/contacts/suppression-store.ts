import { leftAt } from '../../compliance/consent.ts';
import type { KeptContact } from '../../contacts/contact.ts';
import { leftBehind, type Suppression, type SuppressionReason } from '../../contacts/suppression.ts';
import type { AccountRef } from '../../kit/account-ref.ts';
import type { Vault } from '../../kit/cipher.ts';
import type { WantedPage } from '../../kit/cursor-page.ts';
import { newId } from '../../kit/id.ts';
import { channelsTo } from '../../messages/recipient.ts';
import { newestAfter } from '../after-cursor.ts';
import { type ItemKey, itemKeys, partitions } from '../keys.ts';
import type { Item, Table, Write } from '../table.ts';
import { putNew } from '../writes.ts';
import { consentIn, headCheck, versionOf } from './consent-items.ts';
import {
  hasAddress,
  ownCopy,
  ownSuppressionItem,
  type Suppressed,
  suppressionFrom,
  suppressionKeys,
} from './suppression-items.ts';

const isAt = ({ PK, SK }: Item | ItemKey, other: Item | undefined): boolean =>
  other?.['PK'] === PK && other?.['SK'] === SK;

const isPutAt =
  (keys: readonly ItemKey[]) =>
  (write: Write): boolean =>
    'Put' in write && keys.some((key) => isAt(key, write.Put.Item));

const isThere = { ConditionExpression: 'attribute_exists(PK)' };

/** The write that removes or replaces an item, refused where another call has removed it already; other writes as they are. */
const whereStillThere =
  (item: Item) =>
  (write: Write): Write => {
    if ('Put' in write && isAt(item, write.Put.Item)) return { Put: { ...write.Put, ...isThere } };
    if ('Delete' in write && isAt(item, write.Delete.Key)) return { Delete: { ...write.Delete, ...isThere } };
    return write;
  };

/** Addresses that are not to be written to. Entries that follow from contacts are written with the contact. */
export const suppressionStore = (table: Table, vault: Vault) => {
  /**
   * The writes of a contact's change to another email, without the entry of the new one where the contact has agreed to email since it unsubscribed.
   * Refused when a consent has been recorded since.
   */
  const asAgreed = async (
    account: AccountRef,
    before: KeptContact,
    after: KeptContact,
    writes: readonly Write[],
  ): Promise<Write[]> => {
    const { email, id, phone, status } = after;
    // Before the change: a contact of an older release unsubscribed at its last one.
    const sinceAt = status === 'unsubscribed' ? leftAt(before) : undefined;
    if (sinceAt === undefined || email === null || email === before.email) return [...writes];
    const head = itemKeys.consents(account.id, id);
    const item = await table.get(head);
    const consent = consentIn(item, 'email');
    const hasAgreed = consent?.status === 'active' && consent.at > sinceAt;
    const cipher = await vault.unlock(account);
    const keys = suppressionKeys(account.id, cipher, { channel: 'email', address: { email } });
    const isDropped = isPutAt(hasAgreed ? keys : []);
    return [
      ...writes.filter((write) => !isDropped(write)),
      // A change of the phone checks the same.
      ...(phone === before.phone ? [headCheck(head, versionOf(item))] : []),
    ];
  };

  return {
    /** Newest first, after the entry with the id `cursor`; `limit` at most. An entry can be missing for a moment after it was made. */
    list: async (account: AccountRef, { cursor, limit }: WantedPage): Promise<Suppression[]> => {
      const page = { ...newestAfter(cursor), newestFirst: true, limit };
      const items = await table.query(partitions.suppressions(account.id), page);
      const cipher = await vault.unlock(account);
      return items.map((item) => suppressionFrom(cipher, item));
    },

    /** Like `list`, of one address on all its channels, and nothing is missing. */
    listOf: async (
      account: AccountRef,
      address: Suppressed['address'],
      { cursor, limit }: WantedPage,
    ): Promise<Suppression[]> => {
      const cipher = await vault.unlock(account);
      const keys = channelsTo(address).flatMap((channel) => suppressionKeys(account.id, cipher, { channel, address }));
      return (await table.getAll(keys))
        .flatMap((item) => (item && hasAddress(item) ? [suppressionFrom(cipher, item)] : []))
        .filter(({ id }) => cursor === undefined || id < cursor)
        .sort((one, other) => (one.id < other.id ? 1 : -1))
        .slice(0, limit);
    },

    /** Adds an entry of the account's own, or returns the one that is there. One whose address was erased gets it again. */
    add: async (
      account: AccountRef,
      entry: Suppressed & { readonly id: string; readonly reason: SuppressionReason },
    ): Promise<Suppression> => {
      const cipher = await vault.unlock(account);
      const item = ownSuppressionItem(account.id, cipher, entry);
      const known = await table.add(item);
      if (known && hasAddress(known)) return suppressionFrom(cipher, known);
      if (known) await table.put({ Item: item });
      return suppressionFrom(cipher, item);
    },

    /** Adds an entry that stays with the address, also when its contact gets another status or email. One that is there is unchanged. */
    keep: async (
      account: AccountRef,
      entry: Suppressed & { readonly reason: SuppressionReason },
      nowMs: number,
    ): Promise<void> => {
      await table.add(ownSuppressionItem(account.id, await vault.unlock(account), { ...entry, id: newId(nowMs) }));
    },

    /**
     * The writes of a contact's change, with those that keep an email on the list whose entry would be lost by it (`leftBehind`): by an entry of its
     * own, unless it was removed from the list. Refused when the email has got an entry of its own since, or its entry was removed.
     */
    withEntryKept: async (
      account: AccountRef,
      before: KeptContact,
      after: KeptContact,
      writes: readonly Write[],
    ): Promise<Write[]> => {
      const changes = await asAgreed(account, before, after, writes);
      const entry = leftBehind(before, after);
      if (!entry) return changes;
      const cipher = await vault.unlock(account);
      const [own, followed] = await table.getAll(suppressionKeys(account.id, cipher, entry));
      if (own || !followed) return changes;
      const copy = ownCopy(account.id, cipher, followed, entry);
      return [...changes.map(whereStillThere(followed)), putNew(copy)];
    },

    /** Removes every entry of an address on a channel; false when there is none. The status of a contact stays. */
    remove: async (account: AccountRef, suppressed: Suppressed): Promise<boolean> => {
      const keys = suppressionKeys(account.id, await vault.unlock(account), suppressed);
      const items = await table.getAll(keys);
      if (items.every((item) => item === undefined)) return false;
      // Of all origins, at once: an entry that followed from a contact may have become one of its own since it was read.
      await table.transact(keys.map((Key) => ({ Delete: { Key } })));
      return true;
    },
  };
};

export type SuppressionStore = ReturnType<typeof suppressionStore>;
