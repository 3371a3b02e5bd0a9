import type { FileStore } from '../../aws/file-store.ts';
import type { AccountRef } from '../../kit/account-ref.ts';
import { uploadWithinMs } from '../../transfers/contact-import.ts';
import { linkSeconds } from '../../transfers/export.ts';
import type { Growth } from '../../transfers/growth.ts';
import { fileKeys } from './file-keys.ts';
import { growFile } from './growing-file.ts';

/** The files of imports of contacts: what is uploaded, and the rows of it that were refused. */
export const openImportFiles = (files: FileStore) => ({
  uploadUrl: ({ id: account }: AccountRef, id: string): Promise<string> =>
    files.uploadUrl(fileKeys.import(account, id), { seconds: uploadWithinMs / 1_000 }),

  /** How large the file is, and the tag of its content; undefined while there is none. */
  find: ({ id: account }: AccountRef, id: string) => files.find(fileKeys.import(account, id)),

  read: (
    { id: account }: AccountRef,
    id: string,
    part: { readonly from: number; readonly most: number; readonly tag: string | undefined },
  ): Promise<Buffer | undefined> => files.read(fileKeys.import(account, id), part),

  remove: ({ id: account }: AccountRef, id: string): Promise<void> => files.remove(fileKeys.import(account, id)),

  growRefused: ({ id: account }: AccountRef, id: string, before: Growth) =>
    growFile(files, fileKeys.refused(account, id), before),

  /** A link to the refused rows, which is good for 15 minutes. */
  refusedUrl: ({ id: account }: AccountRef, id: string): Promise<string> =>
    files.downloadUrl(fileKeys.refused(account, id), { seconds: linkSeconds, filename: `refused-${id}.csv` }),
});

export type ImportFiles = ReturnType<typeof openImportFiles>;
