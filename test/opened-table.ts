import type { AccountRef } from '../shared/kit/account-ref.ts';
import type { Cipher } from '../shared/kit/cipher.ts';
import type { World } from './world.ts';

type Item = Readonly<Record<string, unknown>>;

/** Every place that a value of an item can be sealed for. */
const placesOf = (PK: string, SK: string, path: string): string[] => {
  const [account = '', room = '', id = ''] = PK.split('#').slice(1);
  const messageId = room === 'BODY' ? id : SK;
  return [
    `${PK}/${SK}/${path}`,
    `${PK}/${path}`,
    `${PK}/${SK}`,
    PK,
    'AUDIT',
    `A#${account}#MSG/${messageId}/${path === 'held' ? 'content' : path}`,
    `A#${account}#CONTACT/${SK}/${path}`,
    `${PK}/SESSION/${path}`,
    `${PK}/${SK}/${path.replace('/responseBody', '')}`,
  ];
};

const opened = (ciphers: Iterable<Cipher>, places: readonly string[], sealed: Uint8Array): string | undefined => {
  for (const cipher of ciphers)
    for (const place of places)
      try {
        return cipher.open(place, sealed);
      } catch {}
  return undefined;
};

/** Every text of the table, decrypted, and what the keys of accounts alone do not open: its room and attribute. */
export const openedTable = async (world: World, accounts: readonly AccountRef[]) => {
  const ciphers = new Map(
    await Promise.all(accounts.map(async (account) => [account.id, await world.vault.unlock(account)] as const)),
  );
  /** All, that of the account in the key first: it opens almost everything, and each attempt takes time. */
  const ciphersFor = (PK: string): Iterable<Cipher> => {
    const own = ciphers.get(PK.split('#')[1] ?? '');
    return new Set([...(own ? [own] : []), ...ciphers.values()]);
  };
  const texts: string[] = [];
  const closed: string[] = [];
  const walk = (item: Item, path: string, value: unknown): void => {
    if (typeof value === 'string') texts.push(value);
    else if (value instanceof Uint8Array) {
      const text = opened(
        ciphersFor(String(item['PK'])),
        placesOf(String(item['PK']), String(item['SK']), path),
        value,
      );
      if (text === undefined) closed.push(`${String(item['PK']).split('#')[2]} ${path}`);
      else texts.push(text);
    } else if (typeof value === 'object' && value !== null)
      for (const [name, inner] of Object.entries(value)) {
        texts.push(name);
        walk(item, path === '' ? name : `${path}/${name}`, inner);
      }
  };
  for (const item of await world.scan()) walk(item, '', item);
  return { texts, closed };
};
