import type { AccountRef } from '../../kit/account-ref.ts';
import type { Cipher, Vault } from '../../kit/cipher.ts';
import { isId } from '../../kit/id.ts';
import type { Upload } from '../../messages/attachment.ts';
import { itemKeys, keyIn } from '../keys.ts';
import { sealedPlace } from '../sealed-place.ts';
import type { Item, Table } from '../table.ts';

export const uploadIn = (cipher: Cipher, { PK, SK, file }: Item): Upload =>
  JSON.parse(cipher.open(sealedPlace(keyIn({ PK, SK }), 'file'), file)) as Upload;

/** What accounts have said of the files that they upload for their emails. */
export const uploadStore = (table: Table, vault: Vault) => ({
  /** Returns what is kept: what an earlier attempt has added, if there was one. */
  add: async (account: AccountRef, id: string, upload: Upload): Promise<Upload> => {
    const cipher = await vault.unlock(account);
    const known = await table.add({
      ...itemKeys.upload(account.id, id),
      entity: 'upload',
      account: account.id,
      file: cipher.seal(sealedPlace(itemKeys.upload(account.id, id), 'file'), JSON.stringify(upload)),
      expiresAt: Math.ceil(upload.expiresMs / 1_000),
    });
    return known ? uploadIn(cipher, known) : upload;
  },

  /** These uploads, in the order of their ids; undefined where there is none. DynamoDB may keep one for days after it has expired. */
  findAll: async (account: AccountRef, ids: readonly string[], nowMs: number): Promise<(Upload | undefined)[]> => {
    const known = [...new Set(ids)].filter(isId);
    if (known.length === 0) return ids.map(() => undefined);
    const cipher = await vault.unlock(account);
    const items = await table.getAll(known.map((id) => itemKeys.upload(account.id, id)));
    const uploads = new Map(
      known.flatMap((id, n): [string, Upload][] => {
        const item = items[n];
        return item ? [[id, uploadIn(cipher, item)]] : [];
      }),
    );
    return ids.map((id) => uploads.get(id)).map((upload) => (upload && upload.expiresMs > nowMs ? upload : undefined));
  },
});

export type UploadStore = ReturnType<typeof uploadStore>;
