import {
  type ContactStatus,
  type KeptContact,
  type NewContact,
  newContact,
  setTo,
  type Taken,
} from '../../contacts/contact.ts';
import { type ContactFilter, matches } from '../../contacts/contact-filter.ts';
import type { AccountRef } from '../../kit/account-ref.ts';
import type { Vault } from '../../kit/cipher.ts';
import type { WantedPage } from '../../kit/cursor-page.ts';
import { isId } from '../../kit/id.ts';
import type { Recipient } from '../../messages/recipient.ts';
import { oldestAfter } from '../after-cursor.ts';
import { itemKeys, partitions } from '../keys.ts';
import { mostWrites, type Table } from '../table.ts';
import { consentStore } from './consent-store.ts';
import { contactBulk } from './contact-bulk.ts';
import { contactFrom, lockKey } from './contact-items.ts';
import { contactPages } from './contact-list.ts';
import { changeWrites, createWrites, isAboutContact, retireWrites, scoreWrites, takenIn } from './contact-writes.ts';
import { suppressionStore } from './suppression-store.ts';

/** How many outcomes a contact remembers, so that a run that died between the contact and its message adds nothing when it is repeated. */
const outcomesKept = 8;

/** A contact as it was written, or why it was not. */
export type Written = { readonly contact: KeptContact } | { readonly taken: readonly Taken[] };

/** Contacts: each is written together with the locks of its addresses, its index rows and the account's counts, or not at all. */
export const contactStore = (table: Table, vault: Vault) => {
  const consents = consentStore(table, vault);
  const suppressions = suppressionStore(table, vault);

  const read = async (account: AccountRef, id: string) => {
    const item = isId(id) ? await table.get(itemKeys.contact(account.id, id)) : undefined;
    if (!item) return undefined;
    const cipher = await vault.unlock(account);
    return { item, cipher, contact: contactFrom(account.id, cipher, item) };
  };

  const find = async (account: AccountRef, id: string): Promise<KeptContact | undefined> =>
    (await read(account, id))?.contact;

  /** A contact that an earlier attempt created with this id counts as created now, also if it has been retired since. */
  const create = async (account: AccountRef, contact: NewContact, nowMs: number): Promise<Written> => {
    const { id, details } = contact;
    const cipher = await vault.unlock(account);
    const refused = await table.transact(createWrites(account.id, cipher, contact, nowMs));
    if (refused && !isAboutContact(refused)) return { taken: takenIn(refused) };
    return { contact: (refused && (await find(account, id))) ?? newContact(id, details, nowMs) };
  };

  /**
   * Makes the contact what `to` says of it: again, from what is there then, when another write was faster. Undefined: there is none. Consents
   * to sms and whatsapp were given for one phone, and end with it; why an email was suppressed stays with the email.
   */
  const change = async (
    account: AccountRef,
    id: string,
    to: (before: KeptContact) => KeptContact,
  ): Promise<Written | undefined> => {
    const found = await read(account, id);
    if (!found) return undefined;
    const after = to(found.contact);
    if (after === found.contact) return { contact: after };
    const isOtherPhone = after.phone !== found.contact.phone;
    const writes = await suppressions.withEntryKept(account, found.contact, after, [
      ...changeWrites(account.id, found.cipher, found.contact, after),
      ...(isOtherPhone ? await consents.phoneChangeWrites(account, after) : []),
    ]);
    if (writes.length > mostWrites) return changeInTwo(account, id, to);
    const refused = await table.transact(writes);
    if (!refused) return { contact: after };
    const taken = takenIn(refused);
    return isAboutContact(refused) || taken.length === 0 ? change(account, id, to) : { taken };
  };

  /** A change of more than one transaction: first of the addresses, which alone can be taken, then of the rest. */
  const changeInTwo = async (
    account: AccountRef,
    id: string,
    to: (before: KeptContact) => KeptContact,
  ): Promise<Written | undefined> => {
    const moved = await change(account, id, (before) => {
      const { email, phone, updatedAt } = to(before);
      return { ...before, email, phone, updatedAt };
    });
    return moved && 'contact' in moved ? change(account, id, to) : moved;
  };

  /**
   * Adds what an outcome changes of the score, once, in one write. Returns the change instead when the outcome changes more than the score: that is
   * for one transaction with the message. `unconcerned`: there is no such contact, or `to` gives none because the outcome is not about it.
   */
  const scoreOnce = async (
    account: AccountRef,
    id: string,
    outcome: string,
    to: (before: KeptContact) => KeptContact | undefined,
  ): Promise<{ readonly before: KeptContact; readonly after: KeptContact } | 'unconcerned' | undefined> => {
    const found = await read(account, id);
    const after = found && to(found.contact);
    if (!after) return 'unconcerned';
    const { contact: before, item } = found;
    if (after === before) return undefined;
    if (after.updatedAt !== before.updatedAt || after.unsubscribedAt !== before.unsubscribedAt)
      return { before, after };
    const outcomes = (item['outcomes'] ?? []) as string[];
    if (outcomes.includes(outcome)) return undefined;
    const kept = [...outcomes, outcome].slice(-outcomesKept);
    const [update, ...rows] = scoreWrites(account.id, before, after, kept);
    const isWritten =
      rows.length === 0 ? (await table.update(update.Update)).done : !(await table.transact([update, ...rows]));
    return isWritten ? undefined : scoreOnce(account, id, outcome, to);
  };

  /** Removes the contact from the account's lists and lookups. Returns false when there is none. */
  const retire = async (account: AccountRef, id: string, nowMs: number): Promise<boolean> => {
    const found = await read(account, id);
    if (!found) return false;
    const refused = await table.transact(retireWrites(account.id, found.cipher, found.item, found.contact, nowMs));
    return refused ? retire(account, id, nowMs) : true;
  };

  return {
    find,
    create,
    change,
    retire,
    list: contactPages(table, vault),
    ...contactBulk(table, vault),

    /** The contacts among the next `limit` that pass the filter, oldest first, after the one with the id `cursor`. `next`: the last of these. */
    walk: async (
      account: AccountRef,
      filter: ContactFilter,
      { cursor, limit }: WantedPage,
    ): Promise<{ readonly rows: KeptContact[]; readonly next: string | undefined }> => {
      const cipher = await vault.unlock(account);
      const stretch = oldestAfter(cursor, { fromMs: filter.createdAfterMs, toMs: filter.createdBeforeMs });
      const items = await table.query(partitions.contacts(account.id), { ...stretch, newestFirst: false, limit });
      const contacts = items.map((item) => contactFrom(account.id, cipher, item));
      const next = contacts.length < limit ? undefined : contacts.at(-1)?.id;
      return { rows: contacts.filter((contact) => matches(contact, filter)), next };
    },

    /** Undefined when the contact is unknown. */
    setStatus: async (
      account: AccountRef,
      id: string,
      status: ContactStatus,
      nowMs: number,
    ): Promise<KeptContact | undefined> => {
      const written = await change(account, id, (before) => setTo(before, status, nowMs));
      return written && 'contact' in written ? written.contact : undefined;
    },

    scoreOnce,

    /** The id of the contact that has an address. */
    idByAddress: async (account: AccountRef, address: Recipient['contact']): Promise<string | undefined> => {
      const lock = await table.get(lockKey(account.id, await vault.unlock(account), address));
      return lock && String(lock['contactId']);
    },

    /** The id of the account that has, or had, a contact with this id. */
    accountOf: async (id: string): Promise<string | undefined> => {
      const item = isId(id) ? await table.get(itemKeys.contactAccount(id)) : undefined;
      return item && String(item['account']);
    },
  };
};

export type ContactStore = ReturnType<typeof contactStore>;
