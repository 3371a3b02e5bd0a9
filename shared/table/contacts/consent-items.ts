import {
  type ConsentChannel,
  type ConsentEntry,
  type ConsentStatus,
  consentChannels,
  inForce,
  standingOn,
} from '../../compliance/consent.ts';
import type { Cipher } from '../../kit/cipher.ts';
import { type ItemKey, itemKeys, keyIn } from '../keys.ts';
import { sealedPlace } from '../sealed-place.ts';
import type { Item, Write } from '../table.ts';
import { putNew, versionAsRead } from '../writes.ts';

export const entryFrom = (cipher: Cipher, { PK, SK, sealed }: Item): ConsentEntry =>
  JSON.parse(cipher.open(sealedPlace(keyIn({ PK, SK }), 'sealed'), sealed)) as ConsentEntry;

/** The id of an entry may be a provider's, and those of whatsapp have the phone number in them: the key has its fingerprint. */
const entryKey = (accountId: string, cipher: Cipher, contactId: string, { channel, id }: ConsentEntry): ItemKey =>
  itemKeys.consentEntry(accountId, contactId, channel, cipher.fingerprint('consent', id));

/** Refused when the entry was recorded before. */
export const entryWrite = (accountId: string, cipher: Cipher, contactId: string, entry: ConsentEntry): Write => {
  const key = entryKey(accountId, cipher, contactId, entry);
  return putNew({
    ...key,
    entity: 'consent-entry',
    sealed: cipher.seal(sealedPlace(key, 'sealed'), JSON.stringify(entry)),
  });
};

export const entryRemoval = (accountId: string, cipher: Cipher, contactId: string, entry: ConsentEntry): Write => ({
  Delete: { Key: entryKey(accountId, cipher, contactId, entry) },
});

/** Refused when an entry was added since. */
export const headCheck = (key: ItemKey, version: number): Write => ({
  ConditionCheck: { Key: key, ...versionAsRead(version) },
});

/** The attribute with the time of a channel's current consent. */
const timeOf = (channel: ConsentChannel) => `${channel}At` as const;

/** Writes the current entry of each channel. Refused when another entry was added meanwhile. */
export const headWrite = (key: ItemKey, version: number, entries: readonly ConsentEntry[]): Write => {
  const standing = consentChannels.map((channel) => [channel, standingOn(channel, entries)] as const);
  const statuses = Object.fromEntries(standing.map(([channel, entry]) => [channel, inForce(entry)]));
  const times = Object.fromEntries(standing.map(([channel, entry]) => [timeOf(channel), entry?.at]));
  const item = { ...key, entity: 'consents', version: version + 1, ...statuses, ...times };
  return { Put: { Item: item, ...versionAsRead(version) } };
};

export const versionOf = (head: Item | undefined): number => Number(head?.['version'] ?? 0);

/** The consent in force on a channel, and since when. The oldest items do not say since when. */
export const consentIn = (head: Item | undefined, channel: ConsentChannel) =>
  head?.[channel] === undefined
    ? undefined
    : { status: head[channel] as ConsentStatus, at: String(head[timeOf(channel)] ?? '') };

/** Refused unless the consent in force on a channel is this one. */
export const consentCheck = (
  accountId: string,
  contactId: string,
  channel: ConsentChannel,
  status: ConsentStatus | undefined,
): Write => ({
  ConditionCheck: {
    Key: itemKeys.consents(accountId, contactId),
    ConditionExpression: status === undefined ? 'attribute_not_exists(#channel)' : '#channel = :consent',
    ExpressionAttributeNames: { '#channel': channel },
    ...(status !== undefined && { ExpressionAttributeValues: { ':consent': status } }),
  },
});
