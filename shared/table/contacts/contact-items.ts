import {
  type ContactDetails,
  type ContactStatus,
  isUnchanged,
  type KeptContact,
  type Taken,
} from '../../contacts/contact.ts';
import { foldEmail, nameWords } from '../../contacts/search.ts';
import type { Cipher } from '../../kit/cipher.ts';
import { lastByteOf, timeOfId } from '../../kit/id.ts';
import { JsonText, jsonOf, parseJson } from '../../kit/json-text.ts';
import { iso } from '../../kit/time.ts';
import type { Recipient } from '../../messages/recipient.ts';
import { type ItemKey, itemKeys, slimKeys } from '../keys.ts';
import { sealedPlace } from '../sealed-place.ts';
import type { Item } from '../table.ts';

/** The count of an account's contacts is spread over this many items, so that parallel writers seldom meet. */
export const countShards = 32;

export const countKey = (accountId: string, contactId: string): ItemKey =>
  itemKeys.contactCount(accountId, lastByteOf(contactId) % countShards);

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

/** What is looked up of an address, in any letter case. */
export const addressFingerprint = (cipher: Cipher, address: Recipient['contact']): string =>
  'email' in address
    ? cipher.fingerprint('email', foldEmail(address.email))
    : cipher.fingerprint('phone', address.phone);

const emailLockKey = (accountId: string, cipher: Cipher, email: string): ItemKey =>
  itemKeys.emailLock(accountId, addressFingerprint(cipher, { email }));

export const phoneLockKey = (accountId: string, cipher: Cipher, phone: string): ItemKey =>
  itemKeys.phoneLock(accountId, addressFingerprint(cipher, { phone }));

export const lockKey = (accountId: string, cipher: Cipher, address: Recipient['contact']): ItemKey =>
  'email' in address ? emailLockKey(accountId, cipher, address.email) : phoneLockKey(accountId, cipher, address.phone);

/** The items that keep a contact's addresses for it alone. */
export const lockItems = (
  accountId: string,
  cipher: Cipher,
  { id, email, phone }: Pick<KeptContact, 'id' | 'email' | 'phone'>,
) => {
  const lock = (key: ItemKey, holds: Taken['field']) => ({ ...key, entity: 'contact-lock', holds, contactId: id });
  return [
    ...(email === null ? [] : [lock(emailLockKey(accountId, cipher, email), 'email')]),
    ...(phone === null ? [] : [lock(phoneLockKey(accountId, cipher, phone), 'phone')]),
  ];
};

/** Every index row of this contact. A change writes the difference of two versions' rows. */
export const indexRows = (accountId: string, cipher: Cipher, contact: KeptContact): ItemKey[] => {
  const { id, tags, source, status, listedScore, hasScoreRow, hasOneRow, updatedAt } = contact;
  const ofSource =
    source === null ? [] : [itemKeys.contactBySource(accountId, cipher.fingerprint('source', source), id)];
  return [
    ...(hasOneRow ? [itemKeys.contactOfSend(accountId, id)] : []),
    // The release before knows no such row, and may have changed the contact while this one was deployed.
    ...(hasOneRow && isUnchanged(contact)
      ? []
      : [
          itemKeys.contactByStatus(accountId, status, id),
          ...ofSource,
          itemKeys.contactByUpdate(accountId, updatedAt, id),
        ]),
    ...[...new Set(tags)].map((tag) => itemKeys.contactByTag(accountId, cipher.fingerprint('tag', tag), id)),
    ...nameWords(contact).map((word) => itemKeys.contactByWord(accountId, wordPath(cipher, word), id)),
    ...(hasScoreRow ? [itemKeys.earlierContactByScore(accountId, listedScore, id)] : []),
  ];
};

/** Bound to the contact and not to its partition, so that a contact can be moved as it is. */
const detailsPlace = (accountId: string, contactId: string): string =>
  sealedPlace(itemKeys.contact(accountId, contactId), 'details');

/** A contact's item, with its details encrypted. */
export const contactAttributes = (accountId: string, cipher: Cipher, contact: KeptContact) => {
  const {
    id,
    status,
    score,
    listedScore,
    updatedAt,
    unsubscribedAt,
    hasLeft,
    email,
    phone,
    firstName,
    lastName,
    tags,
    source,
    customFields,
  } = contact;
  const details: ContactDetails = { email, phone, firstName, lastName, tags, source, customFields };
  return {
    status,
    score,
    listedScore,
    ...slimKeys.contact(accountId, listedScore, id),
    updatedAt,
    unsubscribedAt,
    hasLeft,
    details: cipher.seal(detailsPlace(accountId, id), jsonOf(details)),
  };
};

/**
 * The versions of a contact's consents and of its phone's opt-out. Every entry of theirs leaves them with the contact, so a send checks one item and
 * not three. A contact that has not been texted about since its phone is its phone, or since the release before, has none.
 */
export interface ConsentVersions {
  readonly consents: number;
  readonly optOut: number;
}

/** These versions, if they are those that the contact knows of; otherwise undefined. */
export const consentVersionsIn = (contact: Item, { consents, optOut }: ConsentVersions): ConsentVersions | undefined =>
  contact['saidConsents'] === consents && contact['saidOptOut'] === optOut ? { consents, optOut } : undefined;

export const contactItem = (accountId: string, cipher: Cipher, contact: KeptContact) => ({
  ...itemKeys.contact(accountId, contact.id),
  entity: 'contact',
  account: accountId,
  ...(contact.hasOneRow && { hasOneRow: true }),
  ...contactAttributes(accountId, cipher, contact),
});

/** The plain fields of a contact's item. */
export const contactState = (item: Item) => ({
  status: item['status'] as ContactStatus,
  updatedAt: String(item['updatedAt']),
  unsubscribedAt: typeof item['unsubscribedAt'] === 'string' ? item['unsubscribedAt'] : null,
  hasLeft: item['hasLeft'] === true,
});

export const contactFrom = (accountId: string, cipher: Cipher, item: Item): KeptContact => {
  const id = String(item['SK']);
  const json = cipher.open(detailsPlace(accountId, id), item['details']);
  const details = parseJson(json) as ContactDetails;
  return {
    ...details,
    customFields: JsonText.of(details.customFields),
    id,
    ...contactState(item),
    score: Number(item['score']),
    // A contact of the release before stands in the list with its score.
    listedScore: Number(item['listedScore'] ?? item['score']),
    hasScoreRow: item['GSI2PK'] === undefined,
    hasOneRow: item['hasOneRow'] === true,
    createdAt: iso(timeOfId(id)),
  };
};
