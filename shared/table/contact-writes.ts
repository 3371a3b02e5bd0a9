import { type ContactDetails, type ContactStatus, startScore } from '../contacts/contact.ts';
import { foldEmail, nameWords } from '../contacts/search.ts';
import type { Cipher } from '../kit/cipher.ts';
import { iso } from '../kit/time.ts';
import { type ItemKey, itemKeys } from './keys.ts';
import type { Write } from './table.ts';

/** A contact as it stands in the table, opened. */
export interface StoredContact {
  readonly id: string;
  readonly details: ContactDetails;
  readonly status: ContactStatus;
  readonly score: number;
  readonly updatedAt: string;
}

/** Where an account's contact has its sealed details. */
export const detailsPlace = (accountId: string, contactId: string): string =>
  `${itemKeys.contact(accountId, contactId).PK}/${contactId}/details`;

/** The count of an account's contacts is spread over this many items, so that parallel writers seldom meet. */
export const countShards = 8;

const shardOf = (contactId: string): number => Number.parseInt(contactId.slice(-2), 16) % countShards;

const lettersPerStep = 5;

/**
 * A word as a path of fingerprints, one step for each letter, each over the letters so far: all words that begin alike have
 * paths that begin alike, so the start of a word is one range of the index and no letter is readable.
 */
export const wordPath = (cipher: Cipher, word: string): string =>
  [...word]
    .map((_, index, letters) =>
      cipher.fingerprint('word', letters.slice(0, index + 1).join('')).slice(0, lettersPerStep),
    )
    .join('');

export const emailLockKey = (accountId: string, cipher: Cipher, email: string): ItemKey =>
  itemKeys.emailLock(accountId, cipher.fingerprint('email', foldEmail(email)));

export const phoneLockKey = (accountId: string, cipher: Cipher, phone: string): ItemKey =>
  itemKeys.phoneLock(accountId, cipher.fingerprint('phone', phone));

/** Every index row that finds this contact. What changed between two versions is the difference of their rows. */
export const indexRows = (accountId: string, cipher: Cipher, contact: StoredContact): ItemKey[] => {
  const { id, details, status, score, updatedAt } = contact;
  return [
    itemKeys.contactByStatus(accountId, status, id),
    ...(details.source === null
      ? []
      : [itemKeys.contactBySource(accountId, cipher.fingerprint('source', details.source), id)]),
    ...[...new Set(details.tags)].map((tag) => itemKeys.contactByTag(accountId, cipher.fingerprint('tag', tag), id)),
    ...nameWords(details).map((word) => itemKeys.contactByWord(accountId, wordPath(cipher, word), id)),
    itemKeys.contactByUpdate(accountId, updatedAt, id),
    itemKeys.contactByScore(accountId, score, id),
  ];
};

export const contactItem = (accountId: string, cipher: Cipher, contact: StoredContact) => ({
  ...itemKeys.contact(accountId, contact.id),
  entity: 'contact',
  account: accountId,
  status: contact.status,
  score: contact.score,
  updatedAt: contact.updatedAt,
  details: cipher.seal(detailsPlace(accountId, contact.id), JSON.stringify(contact.details)),
});

/** Adds to the account's count of contacts with this status. */
export const countWrite = (
  accountId: string,
  contactId: string,
  changes: Partial<Record<ContactStatus, number>>,
): Write => {
  const statuses = Object.entries(changes);
  return {
    Update: {
      Key: itemKeys.contactCount(accountId, shardOf(contactId)),
      UpdateExpression: `ADD ${statuses.map((_, n) => `#s${n} :n${n}`).join(', ')}`,
      ExpressionAttributeNames: Object.fromEntries(statuses.map(([status], n) => [`#s${n}`, status])),
      ExpressionAttributeValues: Object.fromEntries(statuses.map(([, change], n) => [`:n${n}`, change])),
    },
  };
};

/** A new contact with its locks. The first writes, in this order, may be refused: contact, then email lock, then phone lock. */
export const createWrites = (
  accountId: string,
  cipher: Cipher,
  id: string,
  details: ContactDetails,
  nowMs: number,
): Write[] => {
  const contact: StoredContact = { id, details, status: 'active', score: startScore, updatedAt: iso(nowMs) };
  const ifFree = { ConditionExpression: 'attribute_not_exists(PK)' };
  const lock = (key: ItemKey): Write => ({
    Put: { Item: { ...key, entity: 'contact-lock', contactId: id }, ...ifFree },
  });
  return [
    { Put: { Item: contactItem(accountId, cipher, contact), ...ifFree } },
    ...(details.email === null ? [] : [lock(emailLockKey(accountId, cipher, details.email))]),
    ...(details.phone === null ? [] : [lock(phoneLockKey(accountId, cipher, details.phone))]),
    ...indexRows(accountId, cipher, contact).map((key): Write => ({ Put: { Item: { ...key } } })),
    countWrite(accountId, id, { active: 1 }),
  ];
};
