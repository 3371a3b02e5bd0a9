import type { ConsentEntry } from '../../compliance/consent.ts';
import { type OptOut, optOutAfter } from '../../compliance/opt-out.ts';
import type { Cipher } from '../../kit/cipher.ts';
import { type ItemKey, itemKeys } from '../keys.ts';
import type { Item, Write } from '../table.ts';
import { versionAsRead } from '../writes.ts';

/** The opt-out of a phone as it was read. It stays with the phone when its contact changes. */
export interface KeptOptOut {
  readonly said: OptOut;
  readonly version: number;
}

export const optOutKey = (accountId: string, cipher: Cipher, phone: string): ItemKey =>
  itemKeys.optOut(accountId, cipher.fingerprint('phone', phone));

export const optOutFrom = (item: Item | undefined): KeptOptOut => ({
  said: (item?.['said'] ?? {}) as OptOut,
  version: Number(item?.['version'] ?? 0),
});

/** Refused when an entry was kept for the phone since. */
export const optOutCheck = (key: ItemKey, kept: KeptOptOut): Write => ({
  ConditionCheck: { Key: key, ...versionAsRead(kept.version) },
});

/** How many entries a phone remembers: a gateway repeats a message soon, or never. */
const mostHeard = 8;

/** An opt-out with the entries that made it, as fingerprints: a repeated one, which may say a later time, changes nothing. */
export interface HeardOptOut extends KeptOptOut {
  readonly key: ItemKey;
  readonly heard: readonly string[];
}

export const heardOptOutFrom = (key: ItemKey, item: Item | undefined): HeardOptOut => ({
  ...optOutFrom(item),
  key,
  heard: (item?.['heard'] ?? []) as string[],
});

const nameOf = (cipher: Cipher, id: string): string => cipher.fingerprint('consent', id);

/** Whether an entry with one of these ids was heard. */
export const hasHeard = (cipher: Cipher, { heard }: HeardOptOut, ids: readonly string[]): boolean =>
  heard.length > 0 && ids.some((id) => heard.includes(nameOf(cipher, id)));

/** Keeps an entry that was not heard before, where it changes the opt-out. Refused when another entry was kept since. */
export const optOutWrites = (cipher: Cipher, { key, heard, ...kept }: HeardOptOut, entry: ConsentEntry): Write[] => {
  const said = optOutAfter(kept.said, entry);
  if (said === kept.said) return [];
  const heardNow = [...heard, nameOf(cipher, entry.id)].slice(-mostHeard);
  const item = { ...key, entity: 'opt-out', said, heard: heardNow, version: kept.version + 1 };
  return [{ Put: { Item: item, ...versionAsRead(kept.version) } }];
};
