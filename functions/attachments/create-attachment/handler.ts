import type { Input, Reply } from '../../../shared/http/contract.ts';
import { iso } from '../../../shared/kit/time.ts';
import { keptUploadMs } from '../../../shared/messages/attachment.ts';
import type { UploadStore } from '../../../shared/table/transfers/upload-store.ts';
import type { UploadedFiles } from '../../../shared/table/transfers/uploaded-files.ts';
import type { createAttachmentContract } from './contract.ts';

export interface CreateAttachmentNeeds {
  readonly uploads: Pick<UploadStore, 'add'>;
  readonly uploadedFiles: Pick<UploadedFiles, 'urlFor'>;
}

/** Nothing is stored of a file before it is uploaded, except what the caller says of it. */
export const createAttachment =
  ({ uploads, uploadedFiles }: CreateAttachmentNeeds) =>
  async ({
    account,
    body: { filename, contentType, size },
    newId,
    nowMs,
  }: Input<typeof createAttachmentContract>): Promise<Reply<typeof createAttachmentContract>> => {
    const upload = { filename, contentType, bytes: size, expiresMs: nowMs + keptUploadMs };
    const { bytes, expiresMs } = await uploads.add(account, newId, upload);
    return { id: newId, uploadUrl: await uploadedFiles.urlFor(account, newId, bytes), expiresAt: iso(expiresMs) };
  };
