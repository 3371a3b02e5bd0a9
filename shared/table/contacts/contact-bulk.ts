import type { NewContact, Taken } from '../../contacts/contact.ts';
import type { AccountRef } from '../../kit/account-ref.ts';
import type { Cipher, Vault } from '../../kit/cipher.ts';
import { inParts } from '../../kit/in-parts.ts';
import { itemKeys } from '../keys.ts';
import { type Item, mostWrites, type Table, type Write } from '../table.ts';
import { lockItems } from './contact-items.ts';
import { countCreated, newContactWrites } from './contact-writes.ts';

/** A partition of contacts takes the rows of about so many transactions at a time. */
const atOnce = 4;

interface Group {
  readonly first: string;
  readonly contacts: number;
  readonly writes: readonly Write[];
}

/** The id that a contact has now, and the addresses that kept it from being created. */
interface Outcome {
  readonly id: string;
  readonly taken: readonly Taken[];
}

/** Many contacts in few calls. */
export const contactBulk = (table: Table, vault: Vault) => {
  /** These contacts with the locks that they need, and what is there already of both. */
  const look = async (accountId: string, cipher: Cipher, all: readonly NewContact[]) => {
    const contacts = all.map((contact) => ({
      ...contact,
      locks: lockItems(accountId, cipher, { id: contact.id, ...contact.details }),
    }));
    const wanted = contacts.flatMap(({ id, locks }) => [itemKeys.contactAccount(id), ...locks]);
    const items = await table.getAll(wanted);
    const found = new Map(wanted.flatMap(({ PK }, n): [string, Item][] => (items[n] ? [[PK, items[n]]] : [])));
    return { contacts, found };
  };

  /** In as few transactions as they fit in, each of whole contacts and with their count. */
  const groupsOf = (accountId: string, cipher: Cipher, contacts: readonly NewContact[], nowMs: number): Group[] => {
    const groups: Group[] = [];
    for (const contact of contacts) {
      const writes = newContactWrites(accountId, cipher, contact, nowMs);
      const last = groups.at(-1);
      if (last && last.writes.length + writes.length < mostWrites)
        groups.splice(-1, 1, { ...last, contacts: last.contacts + 1, writes: [...last.writes, ...writes] });
      else groups.push({ first: contact.id, contacts: 1, writes });
    }
    return groups;
  };

  /** False when another writer was faster. */
  const write = async (accountId: string, { first, contacts, writes }: Group): Promise<boolean> =>
    !(await table.transact([...writes, countCreated(accountId, first, contacts)]));

  /**
   * Creates contacts with the outcome that they have one after the other. One that an earlier attempt created with its id counts as created now, also
   * if it has been retired since.
   */
  const createAll = async (account: AccountRef, all: readonly NewContact[], nowMs: number): Promise<Outcome[]> => {
    const cipher = await vault.unlock(account);
    const { contacts, found } = await look(account.id, cipher, all);
    const isKnown = ({ id }: NewContact): boolean => found.has(itemKeys.contactAccount(id).PK);
    const take = (locks: ReturnType<typeof lockItems>): void => {
      for (const lock of locks) if (!found.has(lock.PK)) found.set(lock.PK, lock);
    };
    const fresh: NewContact[] = [];
    const outcomes = contacts.map(({ locks, ...contact }) => {
      const taken = isKnown(contact) ? [] : takenBy(locks, found);
      if (taken.length > 0) return { id: contact.id, taken };
      // A retired one has left its phone, and later rows with it are duplicates all the same.
      take(locks);
      if (!isKnown(contact)) fresh.push(contact);
      return { id: contact.id, taken };
    });
    const groups = groupsOf(account.id, cipher, fresh, nowMs);
    const written = await inParts(groups, atOnce, (group) => write(account.id, group));
    return written.every(Boolean) ? outcomes : createAll(account, all, nowMs);
  };

  return {
    createAll,

    /** The addresses of each that other contacts hold now. */
    taken: async (account: AccountRef, all: readonly NewContact[]): Promise<Taken[][]> => {
      const { contacts, found } = await look(account.id, await vault.unlock(account), all);
      return contacts.map(({ locks }) => takenBy(locks, found));
    },
  };
};

/** A lock of the contact itself may have been read before its contact was there. */
const takenBy = (locks: ReturnType<typeof lockItems>, found: ReadonlyMap<string, Item>): Taken[] =>
  locks.flatMap(({ PK, holds: field, contactId }) => {
    const lock = found.get(PK);
    return lock && lock['contactId'] !== contactId ? [{ field, byRetired: lock['isRetired'] === true }] : [];
  });
