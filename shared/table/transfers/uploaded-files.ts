import type { FileStore } from '../../aws/file-store.ts';
import type { AccountRef } from '../../kit/account-ref.ts';
import { fileKeys } from './file-keys.ts';

/** How long a URL takes its file. On AWS it ends with the credentials of the function that signed it, which is later than this. */
const uploadSeconds = 3_600;

/** The bytes of attachments that accounts upload. */
export const openUploadedFiles = (files: FileStore) => ({
  urlFor: (account: AccountRef, id: string, bytes: number): Promise<string> =>
    files.uploadUrl(fileKeys.attachment(account.id, id), { seconds: uploadSeconds, bytes }),

  read: (account: AccountRef, id: string): Promise<Buffer | undefined> =>
    files.read(fileKeys.attachment(account.id, id)),
});

export type UploadedFiles = ReturnType<typeof openUploadedFiles>;
