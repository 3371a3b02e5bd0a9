import type { KeptContact } from '../../contacts/contact.ts';
import { consentStore } from '../contacts/consent-store.ts';
import { eraseRetiredWrites, eraseWrites } from '../contacts/contact-writes.ts';
import { erasedSuppression, followingKeys } from '../contacts/suppression-items.ts';
import { itemKeys, keyIn, partitions } from '../keys.ts';
import type { OwnContact } from './own-contacts.ts';
import { type DataSubject, type Stores, type Trace, without } from './trace.ts';
import { rowsOf } from './walk.ts';

/** A retired contact with the addresses that it still holds: its phone may have become another contact's. */
const asItHolds = ({ contact, holds }: OwnContact): KeptContact => ({
  ...contact,
  email: holds.some((address) => 'email' in address) ? contact.email : null,
  phone: holds.some((address) => 'phone' in address) ? contact.phone : null,
});

/** The contacts of a person, each with its consents before it. What is only counted by its id goes with it. */
export const contactTraces = ({ table, vault }: Stores) => {
  const consents = consentStore(table, vault);

  const consentTrace = async ({ account }: DataSubject, { contact }: OwnContact): Promise<Trace[]> => {
    const entries = await consents.list(account, contact.id);
    const erase = async () => {
      for await (const item of rowsOf(table, partitions.consents(account.id, contact.id)))
        await table.remove(keyIn(item));
      return true;
    };
    return entries.length > 0 ? [{ kind: 'consent', holds: { contactId: contact.id, entries }, erase }] : [];
  };

  const contactTrace = ({ account, cipher }: DataSubject, own: OwnContact): Trace => {
    const { contact, isRetired, locks } = own;
    const known = without(contact, 'listedScore', 'hasScoreRow', 'hasOneRow');
    return {
      kind: 'contact',
      holds: { ...known, isRetired },
      erase: async () => {
        await table.remove(itemKeys.frequencyCap(account.id, contact.id));
        await table.remove(itemKeys.strikes(account.id, contact.id));
        const writes = isRetired
          ? eraseRetiredWrites(account.id, contact.id, locks)
          : eraseWrites(account.id, cipher, contact);
        // Of an opt-out, fingerprints stay: those that the account has not taken off its list.
        const keys = followingKeys(account.id, cipher, isRetired ? asItHolds(own) : contact);
        const listed = await table.getAll(keys);
        const suppressions = keys.map((key, n) => erasedSuppression(key, listed[n]));
        return (await table.transact([...writes, ...suppressions])) === undefined;
      },
    };
  };

  return async (subject: DataSubject, contacts: readonly OwnContact[]): Promise<Trace[]> => [
    ...(await Promise.all(contacts.map((own) => consentTrace(subject, own)))).flat(),
    ...contacts.map((own) => contactTrace(subject, own)),
  ];
};
