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

/** The texts of sealed values that were opened, by their bytes, and the accounts whose keys open no place of the others. */
const remembered = new WeakMap<World, Map<string, string | Set<string>>>();

/** The text of what is sealed. No key is tried twice: that takes longer than all else. */
const opened = (
  known: Map<string, string | Set<string>>,
  ciphers: ReadonlyMap<string, Cipher>,
  places: readonly string[],
  sealed: Uint8Array,
): string | undefined => {
  const bytes = Buffer.from(sealed).toString('base64');
  const tried = known.get(bytes) ?? new Set();
  if (typeof tried === 'string') return tried;
  known.set(bytes, tried);
  for (const [account, cipher] of ciphers) {
    if (!tried.has(account))
      for (const place of places)
        try {
          const text = cipher.open(place, sealed);
          known.set(bytes, text);
          return text;
        } catch {}
    tried.add(account);
  }
  return undefined;
};

/** Every text of the table, decrypted, and what the keys of accounts alone do not open: its room and attribute. */
export const openedTable = async (world: World, accounts: readonly AccountRef[]) => {
  const ciphers = new Map(
    await Promise.all(accounts.map(async (account) => [account.id, await world.vault.unlock(account)] as const)),
  );
  const known = remembered.get(world) ?? new Map<string, string | Set<string>>();
  remembered.set(world, known);
  /** All, that of the account in the key first: it opens almost everything, and each attempt takes time. */
  const ciphersFor = (PK: string): ReadonlyMap<string, Cipher> => {
    const id = PK.split('#')[1] ?? '';
    const own = ciphers.get(id);
    return new Map([...(own ? [[id, own] as const] : []), ...ciphers]);
  };
  const texts: string[] = [];
  const closed: string[] = [];
  const walk = (item: Item, path: string, value: unknown): void => {
    if (typeof value === 'string') texts.push(value);
    else if (value instanceof Uint8Array) {
      const text = opened(
        known,
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
