import type { Queue } from '../../../shared/aws/queue.ts';
import type { Input, Reply } from '../../../shared/http/contract.ts';
import { Fault } from '../../../shared/kit/fault.ts';
import { timeOfId } from '../../../shared/kit/id.ts';
import { iso } from '../../../shared/kit/time.ts';
import type { ImportFiles } from '../../../shared/table/transfers/import-files.ts';
import type { TransferStore } from '../../../shared/table/transfers/transfer-store.ts';
import type { ContactImport } from '../../../shared/transfers/contact-import.ts';
import { newRun, type TransferJob } from '../../../shared/transfers/jobs.ts';
import type { getImportContract } from './contract.ts';

export interface GetImportNeeds {
  readonly contactImports: Pick<TransferStore<ContactImport>, 'find'>;
  readonly importFiles: Pick<ImportFiles, 'find' | 'refusedUrl'>;
  readonly transfersQueue: Queue<TransferJob>;
}

/** How far an import is. One that waits for a file which is there begins at once. */
export const getImport =
  ({ contactImports, importFiles, transfersQueue }: GetImportNeeds) =>
  async ({
    account,
    path: { id },
    nowMs,
  }: Input<typeof getImportContract>): Promise<Reply<typeof getImportContract>> => {
    const found = await contactImports.find(account, id, nowMs);
    if (!found) throw new Fault('not_found', 'No import has this id.');
    const { status, dryRun, total, created, duplicates, errors, offset, fileBytes, failureReason, endedMs } = found;
    const isUploaded = status === 'waiting' && (await importFiles.find(account, id)) !== undefined;
    if (isUploaded) await transfersQueue.send([newRun({ transfer: 'contact-import', account: account.id, id })]);
    const hasRefused = status === 'completed' && duplicates + errors > 0;
    return {
      id,
      dryRun,
      total,
      created,
      duplicates,
      errors,
      status: isUploaded ? 'processing' : status,
      progress: fileBytes === 0 ? 0 : Math.floor((100 * offset) / fileBytes),
      failureReason: failureReason ?? null,
      refusedUrl: hasRefused ? await importFiles.refusedUrl(account, id) : null,
      createdAt: iso(timeOfId(id)),
      completedAt: endedMs === undefined ? null : iso(endedMs),
    };
  };
