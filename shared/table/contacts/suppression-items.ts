import type { ConsentEntry } from '../../compliance/consent.ts';
import type { KeptContact } from '../../contacts/contact.ts';
import { type Suppression, type SuppressionReason, suppressionsOf } from '../../contacts/suppression.ts';
import type { Cipher } from '../../kit/cipher.ts';
import { derivedId, timeOfId } from '../../kit/id.ts';
import { iso } from '../../kit/time.ts';
import { type Channel, textChannels } from '../../messages/message.ts';
import type { Recipient } from '../../messages/recipient.ts';
import { type ItemKey, indexKeys, itemKeys, keyIn } from '../keys.ts';
import { sealedPlace } from '../sealed-place.ts';
import type { Item, Write } from '../table.ts';
import { checkNew } from '../writes.ts';
import { addressFingerprint } from './contact-items.ts';

/** An address on a channel. */
export interface Suppressed {
  readonly channel: Channel;
  readonly address: Recipient['contact'];
}

/** An entry is the address’s own, or follows from a contact. An address may have both: they are two items, so that neither overwrites the other. */
const origins = ['own', 'contact'] as const;

const keyOf = (accountId: string, cipher: Cipher, { channel, address }: Suppressed, origin: (typeof origins)[number]) =>
  itemKeys.suppression(accountId, channel, addressFingerprint(cipher, address), origin);

/** Where the entries of an address lie. */
export const suppressionKeys = (accountId: string, cipher: Cipher, suppressed: Suppressed): ItemKey[] =>
  origins.map((origin) => keyOf(accountId, cipher, suppressed, origin));

const itemFor = (
  accountId: string,
  cipher: Cipher,
  key: ItemKey,
  { id, channel, address, reason }: Suppressed & { readonly id: string; readonly reason: SuppressionReason },
) => ({
  ...key,
  ...indexKeys.suppression(accountId, id),
  entity: 'suppression',
  account: accountId,
  channel,
  reason,
  address: cipher.seal(sealedPlace(key, 'address'), 'email' in address ? address.email : address.phone),
});

/** An entry that the account made, or that stays with its address without a contact. */
export const ownSuppressionItem = (
  accountId: string,
  cipher: Cipher,
  entry: Suppressed & { readonly id: string; readonly reason: SuppressionReason },
) => itemFor(accountId, cipher, keyOf(accountId, cipher, entry, 'own'), entry);

export const suppressionFrom = (cipher: Cipher, item: Item): Suppression => {
  const id = String(item['GSI1SK']);
  return {
    id,
    channel: item['channel'] as Channel,
    address: cipher.open(sealedPlace(keyIn(item), 'address'), item['address']),
    reason: reasonIn(item),
    createdAt: iso(timeOfId(id)),
  };
};

export const reasonIn = (item: Item): SuppressionReason => item['reason'] as SuppressionReason;

/**
 * The entries that go with one version of a contact in place of another; with `isAnew` also one of its email that it has, because there is a new
 * reason for it. Only another unsubscription is a new reason for those of its phone.
 * The same change always writes the same.
 */
export const suppressionWrites = (
  accountId: string,
  cipher: Cipher,
  before: KeptContact,
  after: KeptContact,
  isAnew: boolean,
): Write[] => {
  const entriesOf = (contact: KeptContact) =>
    suppressionsOf(contact).map((entry) => ({ ...entry, key: keyOf(accountId, cipher, entry, 'contact') }));
  const [old, current] = [entriesOf(before), entriesOf(after)];
  const gone = old.filter(({ key }) => !current.some((entry) => entry.key.PK === key.PK));
  const isOld = ({ key, reason }: (typeof current)[number]) =>
    old.some((e) => e.key.PK === key.PK && e.reason === reason);
  const hasLeftAgain = after.unsubscribedAt !== before.unsubscribedAt;
  // A complaint is about emails: an unsubscription from texts that was lifted stays lifted.
  const isLifted = ({ channel }: (typeof current)[number]) =>
    channel !== 'email' && after.status === 'complained' && before.phone === after.phone;
  const isNews = (entry: (typeof current)[number]) =>
    (isAnew && entry.channel === 'email') || !(isOld(entry) || isLifted(entry));
  const added = current.filter((entry) => hasLeftAgain || isNews(entry));
  return [
    ...gone.map(({ key }): Write => ({ Delete: { Key: key } })),
    ...added.map((entry) => putFollowing(accountId, cipher, after, entry, lastReasonAt(after))),
  ];
};

/** Another unsubscription leaves `updatedAt` as it is. */
const lastReasonAt = ({ updatedAt, unsubscribedAt }: KeptContact): string =>
  unsubscribedAt !== null && unsubscribedAt > updatedAt ? unsubscribedAt : updatedAt;

/** The channels that an entry is about: what the holder of a phone asks for is about all texts. */
const channelsOf = ({ channel, by }: Pick<ConsentEntry, 'channel' | 'by'>): readonly Channel[] =>
  by === 'recipient' ? textChannels : [channel];

/**
 * Ends the entries of a contact that has agreed to a channel again; a START of its holder is for both of its phone. Those may be of a contact
 * that had the phone before, and is retired.
 */
const agreedWrites = (accountId: string, cipher: Cipher, contact: KeptContact, agreed: readonly Channel[]): Write[] => {
  const { phone } = contact;
  const ofEmail = suppressionsOf(contact).filter(
    ({ channel, reason }) => channel === 'email' && reason === 'unsubscribed',
  );
  const ofPhone = phone === null ? [] : textChannels.map((channel) => ({ channel, address: { phone } }));
  return [...ofEmail, ...ofPhone]
    .filter(({ channel }) => agreed.includes(channel))
    .map((entry): Write => ({ Delete: { Key: keyOf(accountId, cipher, entry, 'contact') } }));
};

/** What the last word of a contact changes on the list: who agrees to a channel leaves it; one that is unsubscribed and withdraws that is back. */
export const wordWrites = (
  accountId: string,
  cipher: Cipher,
  contact: KeptContact,
  word: Pick<ConsentEntry, 'channel' | 'status' | 'by' | 'at'>,
  before: Pick<ConsentEntry, 'status'> | undefined,
): Write[] => {
  const about = channelsOf(word);
  if (word.status === 'active') return agreedWrites(accountId, cipher, contact, about);
  if (before?.status !== 'active') return [];
  return suppressionsOf(contact)
    .filter(({ channel, reason }) => reason === 'unsubscribed' && about.includes(channel))
    .map((entry) => putFollowing(accountId, cipher, contact, entry, word.at));
};

/** An entry of the list that follows from a contact, since this time. */
const putFollowing = (
  accountId: string,
  cipher: Cipher,
  contact: KeptContact,
  suppressed: Suppressed & { readonly reason: SuppressionReason },
  at: string,
): Write => {
  const id = derivedId(Date.parse(at), `${contact.id}#${suppressed.channel}`);
  const key = keyOf(accountId, cipher, suppressed, 'contact');
  return { Put: { Item: itemFor(accountId, cipher, key, { ...suppressed, id }) } };
};

/** An entry without its address: it is in no list, and sends are still checked by the fingerprint in its key. */
const nameless = (accountId: string, key: ItemKey, { channel, reason }: Pick<Suppression, 'channel' | 'reason'>) => ({
  ...key,
  entity: 'suppression',
  account: accountId,
  channel,
  reason,
});

/** An entry of a contact as one of the account's own, with its id. One without its address stays without it. */
export const ownCopy = (accountId: string, cipher: Cipher, followed: Item, { channel, address }: Suppressed) => {
  const reason = reasonIn(followed);
  return hasAddress(followed)
    ? ownSuppressionItem(accountId, cipher, { id: String(followed['GSI1SK']), channel, address, reason })
    : nameless(accountId, keyOf(accountId, cipher, { channel, address }, 'own'), { channel, reason });
};

/** Where the entries of a contact lie, unless they were removed from the list. */
export const followingKeys = (accountId: string, cipher: Cipher, contact: KeptContact): ItemKey[] =>
  suppressionsOf(contact).map((entry) => keyOf(accountId, cipher, entry, 'contact'));

/**
 * What stays of an entry of a contact that is erased: its fingerprint, or nothing where it was removed from the list. Refused when that has changed
 * since it was read.
 */
export const erasedSuppression = ({ PK, SK }: ItemKey, listed: Item | undefined): Write =>
  listed ? { Update: namelessUpdate({ PK, SK }) } : checkNew({ PK, SK });

export const hasAddress = (item: Item): boolean => item['address'] !== undefined;

/** Takes the address out of an entry. */
export const namelessUpdate = ({ PK, SK }: ItemKey) => ({
  Key: { PK, SK },
  UpdateExpression: 'REMOVE address, GSI1PK, GSI1SK',
  ConditionExpression: 'attribute_exists(PK)',
});
