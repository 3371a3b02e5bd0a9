import {
  type ContactStatus,
  holdsWhenRetired,
  isUnchanged,
  type KeptContact,
  type NewContact,
  newContact,
  startStatus,
  type Taken,
} from '../../contacts/contact.ts';
import type { Cipher } from '../../kit/cipher.ts';
import { iso } from '../../kit/time.ts';
import { type ItemKey, itemKeys, slimKeys } from '../keys.ts';
import { numberedFields } from '../numbered-fields.ts';
import type { Item, Refused, Write } from '../table.ts';
import { checkNew, putNew } from '../writes.ts';
import {
  type ConsentVersions,
  contactAttributes,
  contactItem,
  countKey,
  indexRows,
  lockItems,
  phoneLockKey,
} from './contact-items.ts';
import { suppressionWrites } from './suppression-items.ts';

/** The first write of a change. */
type ContactUpdate = Pick<Extract<Write, { Update: unknown }>, 'Update'>;

const put = (item: Item | ItemKey): Write => ({ Put: { Item: item } });
const remove = ({ PK, SK }: ItemKey): Write => ({ Delete: { Key: { PK, SK } } });

const without = <Keyed extends ItemKey>(items: readonly Keyed[], others: readonly ItemKey[]): Keyed[] =>
  items.filter(({ PK, SK }) => !others.some((other) => other.PK === PK && other.SK === SK));

/** Adds to the account's counts of contacts by status. */
const countWrite = (
  accountId: string,
  contactId: string,
  changes: readonly (readonly [ContactStatus, number])[],
): Write => {
  const { add, names, values } = numberedFields(changes);
  return {
    Update: {
      Key: countKey(accountId, contactId),
      UpdateExpression: `ADD ${add}`,
      ExpressionAttributeNames: names,
      ExpressionAttributeValues: values,
    },
  };
};

/** True while the contact has not unsubscribed since it was read, which may be without a new `updatedAt`. Rows of an older release do not say when. */
const notLeftSince = '(attribute_not_exists(unsubscribedAt) OR unsubscribedAt = :readLeft)';

/** True while the contact is as it was read; its score moves without a new `updatedAt`. */
const asRead = `updatedAt = :readAt AND score = :readScore AND ${notLeftSince}`;
const valuesRead = ({ updatedAt, score, unsubscribedAt }: KeptContact) => ({
  ':readAt': updatedAt,
  ':readScore': score,
  ':readLeft': unsubscribedAt,
});

/** Refused unless the contact is as it was read, its phone and its status too; its score does not matter. With `consentVersions`: also unless its consents and the opt-out of its phone have these. */
export const contactCheck = (
  accountId: string,
  { id, updatedAt, unsubscribedAt }: Pick<KeptContact, 'id' | 'updatedAt' | 'unsubscribedAt'>,
  consentVersions?: ConsentVersions,
): Write => ({
  ConditionCheck: {
    Key: itemKeys.contact(accountId, id),
    ConditionExpression: `updatedAt = :readAt AND ${notLeftSince}${consentVersions ? ' AND saidConsents = :consents AND saidOptOut = :optOut' : ''}`,
    ExpressionAttributeValues: {
      ':readAt': updatedAt,
      ':readLeft': unsubscribedAt,
      ...(consentVersions && versionValues(consentVersions)),
    },
  },
});

const versionValues = ({ consents, optOut }: ConsentVersions) => ({ ':consents': consents, ':optOut': optOut });

/** Refused when a contact has this phone. */
export const phoneCheck = (accountId: string, cipher: Cipher, phone: string): Write =>
  checkNew(phoneLockKey(accountId, cipher, phone));

/** The first write is refused because of the contact itself, those after it because of its locks. */
export const isAboutContact = ({ failed }: Refused): boolean => failed.some(({ position }) => position === 0);

/** The addresses that other contacts hold, by the refused writes of locks. */
export const takenIn = ({ failed }: Refused): Taken[] =>
  failed.flatMap(({ item }) =>
    item?.['holds'] === 'email' || item?.['holds'] === 'phone'
      ? [{ field: item['holds'], byRetired: item['isRetired'] === true }]
      : [],
  );

/** Says whose a contact is. An item of its own and not an index key: it is written once, an index would be with every change of the contact. */
export const contactAccountItem = (accountId: string, id: string) => ({
  ...itemKeys.contactAccount(id),
  entity: 'contact-account',
  account: accountId,
});

/** What stands of a new contact, but for the item that says whose it is and the account's counts. Refused when an address is taken. */
export const standingWrites = (
  accountId: string,
  cipher: Cipher,
  { id, details }: NewContact,
  nowMs: number,
): Write[] => {
  const contact = newContact(id, details, nowMs);
  return [
    ...lockItems(accountId, cipher, contact).map(putNew),
    put(contactItem(accountId, cipher, contact)),
    ...indexRows(accountId, cipher, contact).map(put),
  ];
};

/** What stands of a new contact, but for the account's counts. */
export const newContactWrites = (accountId: string, cipher: Cipher, contact: NewContact, nowMs: number): Write[] => [
  putNew(contactAccountItem(accountId, contact.id)),
  ...standingWrites(accountId, cipher, contact, nowMs),
];

/** Counts new contacts. It does not matter which shard counts them. */
export const countCreated = (accountId: string, contactId: string, contacts: number): Write =>
  countWrite(accountId, contactId, [[startStatus, contacts]]);

/**
 * A new contact with its locks. Refused in its first write when a contact was created under this id before, even if it has been retired
 * since; in the writes of locks when an address is taken.
 */
export const createWrites = (accountId: string, cipher: Cipher, contact: NewContact, nowMs: number): Write[] => [
  ...newContactWrites(accountId, cipher, contact, nowMs),
  countCreated(accountId, contact.id, 1),
];

/** One version of a contact in place of another, after a change of its consents or opt-out (`consentVersions`), or as the outcome of a message. Refused in its first write when that other is no longer there. */
export const changeWrites = (
  accountId: string,
  cipher: Cipher,
  before: KeptContact,
  after: KeptContact,
  {
    consentVersions,
    isOutcome = false,
  }: { readonly consentVersions?: ConsentVersions | undefined; readonly isOutcome?: boolean } = {},
): [ContactUpdate, ...Write[]] => {
  const { status, score, listedScore, updatedAt, unsubscribedAt, hasLeft, details } = contactAttributes(
    accountId,
    cipher,
    after,
  );
  const place = scorePlace(accountId, after);
  const oldLocks = lockItems(accountId, cipher, before);
  const newLocks = lockItems(accountId, cipher, after);
  const oldRows = indexRows(accountId, cipher, before);
  const hasOneRow = before.hasOneRow && isUnchanged(after);
  const leavesOneRow = before.hasOneRow && !hasOneRow;
  const newRows = indexRows(accountId, cipher, { ...after, hasScoreRow: false, hasOneRow });
  const setVersions = consentVersions ? ', saidConsents = :consents, saidOptOut = :optOut' : '';
  const gone = [
    ...(leavesOneRow ? ['hasOneRow'] : []),
    // They were about the other phone.
    ...(before.phone === after.phone ? [] : ['saidConsents', 'saidOptOut']),
  ];
  return [
    {
      Update: {
        Key: itemKeys.contact(accountId, after.id),
        UpdateExpression: `SET ${place.set}, #status = :status, score = :score, listedScore = :listedScore, updatedAt = :updatedAt, unsubscribedAt = :unsubscribedAt, hasLeft = :hasLeft, details = :details${setVersions}${gone.length > 0 ? ` REMOVE ${gone}` : ''}`,
        ConditionExpression: asRead,
        ExpressionAttributeNames: { '#status': 'status' },
        ExpressionAttributeValues: {
          ...valuesRead(before),
          ...place.values,
          ':status': status,
          ':score': score,
          ':listedScore': listedScore,
          ':updatedAt': updatedAt,
          ':unsubscribedAt': unsubscribedAt,
          ':hasLeft': hasLeft,
          ':details': details,
          ...(consentVersions && versionValues(consentVersions)),
        },
      },
    },
    ...without(newLocks, oldLocks).map(putNew),
    ...without(oldLocks, newLocks).map(remove),
    ...without(oldRows, newRows).map(remove),
    // What the release before changed in its one row has only some of the others.
    ...(leavesOneRow ? newRows : without(newRows, oldRows)).map(put),
    ...(before.status === status
      ? []
      : [
          countWrite(accountId, after.id, [
            [before.status, -1],
            [status, 1],
          ]),
        ]),
    ...suppressionWrites(accountId, cipher, before, after, isOutcome),
  ];
};

/** Where a contact stands by its score. */
const scorePlace = (accountId: string, { id, listedScore }: KeptContact) => {
  const { GSI2PK, GSI2SK } = slimKeys.contact(accountId, listedScore, id);
  return { set: 'GSI2PK = :scores, GSI2SK = :byScore', values: { ':scores': GSI2PK, ':byScore': GSI2SK } };
};

/** The new score of a contact, of which nothing else has changed, and the outcomes that are in it: one write, unless its score has a row. */
export const scoreWrites = (
  accountId: string,
  before: KeptContact,
  after: KeptContact,
  outcomes: readonly string[],
): [ContactUpdate, ...Write[]] => {
  const place = scorePlace(accountId, after);
  return [
    {
      Update: {
        Key: itemKeys.contact(accountId, after.id),
        UpdateExpression: `SET ${place.set}, score = :score, listedScore = :listedScore, outcomes = :outcomes`,
        ConditionExpression: asRead,
        ExpressionAttributeValues: {
          ...valuesRead(before),
          ...place.values,
          ':score': after.score,
          ':listedScore': after.listedScore,
          ':outcomes': outcomes,
        },
      },
    },
    ...(before.hasScoreRow ? [remove(itemKeys.earlierContactByScore(accountId, before.listedScore, before.id))] : []),
  ];
};

/** Removes a contact from the account's contacts, from all indexes and from the count; its locks stay. Refused like `changeWrites`. */
const leaveWrites = (accountId: string, cipher: Cipher, contact: KeptContact): Write[] => [
  {
    Delete: {
      Key: itemKeys.contact(accountId, contact.id),
      ConditionExpression: asRead,
      ExpressionAttributeValues: valuesRead(contact),
    },
  },
  ...indexRows(accountId, cipher, contact).map(remove),
  countWrite(accountId, contact.id, [[contact.status, -1]]),
];

/** Removes a contact from all indexes. Refused like `changeWrites`. */
export const retireWrites = (
  accountId: string,
  cipher: Cipher,
  item: Item,
  contact: KeptContact,
  nowMs: number,
): Write[] => {
  const { GSI2PK: _, GSI2SK: __, ...kept } = item;
  return [
    ...leaveWrites(accountId, cipher, contact),
    put({
      ...kept,
      ...itemKeys.retiredContact(accountId, contact.id),
      entity: 'retired-contact',
      retiredAt: iso(nowMs),
    }),
    ...lockItems(accountId, cipher, contact).map((lock) =>
      holdsWhenRetired[lock.holds] ? put({ ...lock, isRetired: true }) : remove(lock),
    ),
  ];
};

/** Deletes a contact for good: its addresses are free again. Refused like `changeWrites`. */
export const eraseWrites = (accountId: string, cipher: Cipher, contact: KeptContact): Write[] => [
  ...leaveWrites(accountId, cipher, contact),
  ...lockItems(accountId, cipher, contact).map(remove),
];

/** Deletes a retired contact for good, with the locks that it still has. Refused when it is gone, because its email may have become another contact's. */
export const eraseRetiredWrites = (accountId: string, contactId: string, locks: readonly ItemKey[]): Write[] => [
  { Delete: { Key: itemKeys.retiredContact(accountId, contactId), ConditionExpression: 'attribute_exists(PK)' } },
  ...locks.map(remove),
];
