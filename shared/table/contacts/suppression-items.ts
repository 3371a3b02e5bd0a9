import { createHash } from 'node:crypto';
import type { ConsentEntry } from '../../compliance/consent.ts';
import type { KeptContact } from '../../contacts/contact.ts';
import { type Suppression, type SuppressionReason, suppressionsOf } from '../../contacts/suppression.ts';
import type { Cipher } from '../../kit/cipher.ts';
import { newId, timeOfId } from '../../kit/id.ts';
import { iso } from '../../kit/time.ts';
import { type Channel, textChannels } from '../../messages/message.ts';
import type { Recipient } from '../../messages/recipient.ts';
import { type ItemKey, indexKeys, itemKeys } from '../keys.ts';
import type { Item, Write } from '../table.ts';
import { addressFingerprint } from './contact-items.ts';

/** An address on a channel. */
export interface Suppressed {
  readonly channel: Channel;
  readonly address: Recipient['contact'];
}

/** An entry stands by itself, or follows from a contact: each is an item of its own, so that neither overwrites the other. */
const origins = ['own', 'contact'] as const;

const keyOf = (accountId: string, cipher: Cipher, { channel, address }: Suppressed, origin: (typeof origins)[number]) =>
  itemKeys.suppression(accountId, channel, addressFingerprint(cipher, address), origin);

/** Where the entries of an address lie. */
export const suppressionKeys = (accountId: string, cipher: Cipher, suppressed: Suppressed): ItemKey[] =>
  origins.map((origin) => keyOf(accountId, cipher, suppressed, origin));

const place = ({ PK, SK }: ItemKey): string => `${PK}/${SK}/address`;

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
  address: cipher.seal(place(key), 'email' in address ? address.email : address.phone),
});

/** An entry that the account made, or that stays with its address without a contact. */
export const ownSuppressionItem = (
  accountId: string,
  cipher: Cipher,
  entry: Suppressed & { readonly id: string; readonly reason: SuppressionReason },
) => itemFor(accountId, cipher, keyOf(accountId, cipher, entry, 'own'), entry);

export const suppressionFrom = (cipher: Cipher, item: Item): Suppression => {
  const id = String(item['GSI1SK']);
  const key = { PK: String(item['PK']), SK: String(item['SK']) };
  return {
    id,
    channel: item['channel'] as Channel,
    address: cipher.open(place(key), item['address'] as Uint8Array),
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
  const [old, now] = [entriesOf(before), entriesOf(after)];
  const gone = old.filter(({ key }) => !now.some((entry) => entry.key.PK === key.PK));
  const isOld = ({ key, reason }: (typeof now)[number]) => old.some((e) => e.key.PK === key.PK && e.reason === reason);
  const hasLeftAgain = after.unsubscribedAt !== before.unsubscribedAt;
  const added = now.filter((entry) => hasLeftAgain || (isAnew && entry.channel === 'email') || !isOld(entry));
  return [
    ...gone.map(({ key }): Write => ({ Delete: { Key: key } })),
    ...added.map((entry): Write => {
      const id = newId(Date.parse(after.updatedAt), digest(`${after.id}#${entry.channel}`));
      return { Put: { Item: itemFor(accountId, cipher, entry.key, { ...entry, id }) } };
    }),
  ];
};

/**
 * Ends the entries of a contact that has agreed to a channel again; a START of its holder is for both of its phone. Those may be of a contact
 * that had the phone before, and is retired.
 */
export const agreedWrites = (
  accountId: string,
  cipher: Cipher,
  contact: KeptContact,
  { channel: asked, status, by }: Pick<ConsentEntry, 'channel' | 'status' | 'by'>,
): Write[] => {
  if (status !== 'active') return [];
  const { phone } = contact;
  const agreed: readonly Channel[] = by === 'recipient' ? textChannels : [asked];
  const ofEmail = suppressionsOf(contact).filter(
    ({ channel, reason }) => channel === 'email' && reason === 'unsubscribed',
  );
  const ofPhone = phone === null ? [] : textChannels.map((channel) => ({ channel, address: { phone } }));
  return [...ofEmail, ...ofPhone]
    .filter(({ channel }) => agreed.includes(channel))
    .map((entry): Write => ({ Delete: { Key: keyOf(accountId, cipher, entry, 'contact') } }));
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

/** What stays of the entries of a contact that is erased. */
export const namelessSuppressions = (accountId: string, cipher: Cipher, contact: KeptContact) =>
  suppressionsOf(contact).map((entry) => nameless(accountId, keyOf(accountId, cipher, entry, 'contact'), entry));

export const hasAddress = (item: Item): boolean => item['address'] !== undefined;

/** Takes the address out of an entry. */
export const namelessUpdate = ({ PK, SK }: ItemKey) => ({
  Key: { PK, SK },
  UpdateExpression: 'REMOVE address, GSI1PK, GSI1SK',
  ConditionExpression: 'attribute_exists(PK)',
});

const digest = (text: string): Uint8Array => createHash('sha256').update(text).digest().subarray(0, 10);
