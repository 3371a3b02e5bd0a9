import type { KeptContact } from '../../contacts/contact.ts';
import { foldEmail } from '../../contacts/search.ts';
import type { AccountRef } from '../../kit/account-ref.ts';
import type { Cipher } from '../../kit/cipher.ts';
import { contactFrom, lockKey } from '../contacts/contact-items.ts';
import { type ItemKey, itemKeys, partitions } from '../keys.ts';
import type { Table } from '../table.ts';
import type { Address } from './trace.ts';
import { rowsOf } from './walk.ts';

/** A contact that has, or had when it was retired, an address of the person. `holds`: its addresses that no other contact has now, with their locks. */
export interface OwnContact {
  readonly contact: KeptContact;
  readonly isRetired: boolean;
  readonly holds: readonly Address[];
  readonly locks: readonly ItemKey[];
}

const isSameAddress = (one: Address, other: Address): boolean =>
  'email' in one
    ? 'email' in other && foldEmail(one.email) === foldEmail(other.email)
    : 'phone' in other && one.phone === other.phone;

const addressesIn = ({ email, phone }: KeptContact): Address[] => [
  ...(email === null ? [] : [{ email }]),
  ...(phone === null ? [] : [{ phone }]),
];

/** The contacts of an account with one of these addresses. Locks find those that are not retired; all retired ones are read. */
export const ownContacts = async (
  table: Table,
  account: AccountRef,
  cipher: Cipher,
  addresses: readonly Address[],
): Promise<OwnContact[]> => {
  const lockKeyOf = (address: Address): ItemKey => lockKey(account.id, cipher, address);

  const owned = async (contact: KeptContact, isRetired: boolean): Promise<OwnContact> => {
    const all = addressesIn(contact).map((address) => ({ address, key: lockKeyOf(address) }));
    const found = await table.getAll(all.map(({ key }) => key));
    const holders = found.map((lock) => (lock === undefined ? undefined : String(lock['contactId'])));
    return {
      contact,
      isRetired,
      holds: all.filter((_, n) => (holders[n] ?? contact.id) === contact.id).map(({ address }) => address),
      locks: all.filter((_, n) => holders[n] === contact.id).map(({ key }) => key),
    };
  };

  const locks = await table.getAll(addresses.map(lockKeyOf));
  const ids = [...new Set(locks.flatMap((lock) => (lock === undefined ? [] : [String(lock['contactId'])])))];
  const current = (await table.getAll(ids.map((id) => itemKeys.contact(account.id, id)))).filter(
    (item) => item !== undefined,
  );
  const contacts = await Promise.all(current.map((item) => owned(contactFrom(account.id, cipher, item), false)));
  for await (const item of rowsOf(table, partitions.retiredContacts(account.id))) {
    const contact = contactFrom(account.id, cipher, item);
    const isOwn = addressesIn(contact).some((address) => addresses.some((other) => isSameAddress(address, other)));
    if (isOwn) contacts.push(await owned(contact, true));
  }
  return contacts;
};

/** The person's addresses: these, and those of each contact that still holds one of them. */
export const allAddresses = (given: readonly Address[], contacts: readonly OwnContact[]): Address[] => {
  const isGiven = (address: Address): boolean => given.some((other) => isSameAddress(address, other));
  const others = contacts.flatMap(({ holds }) => (holds.some(isGiven) ? holds : []));
  return [...given, ...others.filter((address) => !isGiven(address))];
};
