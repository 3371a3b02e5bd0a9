import type { DataKeys } from '../../aws/vault.ts';
import type { AccountRef } from '../../kit/account-ref.ts';
import type { Cipher, Vault } from '../../kit/cipher.ts';
import { itemKeys } from '../keys.ts';
import type { Table } from '../table.ts';

/** What is known of people belongs to no account: one data key of its own seals it. */
export const peopleKeyOwner = 'people';

export interface People {
  readonly ref: AccountRef;
  readonly cipher: Cipher;
}

/** The data key of people: made with the first operator of a deployment. */
export const peopleKeyStore = (table: Table, vault: Vault) => {
  /** It never changes. What it opens does, with later keys. */
  let knownKey: string | undefined;

  const open = async (sealedKey: string): Promise<People> => {
    const ref = { id: peopleKeyOwner, sealedKey };
    return { ref, cipher: await vault.unlock(ref) };
  };

  /** Undefined: no person is known yet. */
  const find = async (): Promise<People | undefined> => {
    if (knownKey === undefined) {
      const item = await table.get(itemKeys.peopleKey());
      if (item) knownKey = String(item['sealedKey']);
    }
    return knownKey === undefined ? undefined : open(knownKey);
  };

  return {
    find,
    open,
    create: async (dataKeys: Pick<DataKeys, 'create'>): Promise<People> => {
      const found = await find();
      if (found) return found;
      const mine = { ...itemKeys.peopleKey(), entity: 'people-key', sealedKey: await dataKeys.create(peopleKeyOwner) };
      const others = await table.add(mine);
      knownKey = String((others ?? mine)['sealedKey']);
      return open(knownKey);
    },
  };
};
