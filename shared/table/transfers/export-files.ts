import type { FileStore } from '../../aws/file-store.ts';
import type { AccountRef } from '../../kit/account-ref.ts';
import { linkSeconds } from '../../transfers/export.ts';
import type { Growth } from '../../transfers/growth.ts';
import { fileKeys } from './file-keys.ts';
import { growFile } from './growing-file.ts';

/** The files that exports are written to. */
export const openExportFiles = (files: FileStore) => ({
  grow: ({ id: account }: AccountRef, id: string, before: Growth) =>
    growFile(files, fileKeys.export(account, id), before),

  urlFor: ({ id: account }: AccountRef, id: string, name: string): Promise<string> =>
    files.downloadUrl(fileKeys.export(account, id), { seconds: linkSeconds, filename: `${name}-${id}.csv` }),
});

export type ExportFiles = ReturnType<typeof openExportFiles>;
