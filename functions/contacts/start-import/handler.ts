import { type Allowances, importsOfAccount, spend } from '../../../shared/accounts/allowance.ts';
import type { Queue } from '../../../shared/aws/queue.ts';
import type { Input, Reply } from '../../../shared/http/contract.ts';
import { iso } from '../../../shared/kit/time.ts';
import type { ImportFiles } from '../../../shared/table/transfers/import-files.ts';
import type { TransferStore } from '../../../shared/table/transfers/transfer-store.ts';
import { type ContactImport, newImport, nextLookSeconds } from '../../../shared/transfers/contact-import.ts';
import { newRun, type TransferJob } from '../../../shared/transfers/jobs.ts';
import type { startImportContract } from './contract.ts';

export interface StartImportNeeds {
  readonly contactImports: Pick<TransferStore<ContactImport>, 'add'>;
  readonly importFiles: Pick<ImportFiles, 'uploadUrl'>;
  readonly rates: Allowances;
  readonly transfersQueue: Queue<TransferJob>;
}

/** An import that waits for its file. Its first run looks for the file a moment later, and again until the URL has expired. */
export const startImport =
  ({ contactImports, importFiles, rates, transfersQueue }: StartImportNeeds) =>
  async ({
    account,
    body,
    newId: id,
    nowMs,
  }: Input<typeof startImportContract>): Promise<Reply<typeof startImportContract>> => {
    await spend(rates, importsOfAccount, account, nowMs);
    const started = await contactImports.add(account, id, newImport(body.dryRun, nowMs), nowMs);
    const { dryRun, uploadUntilMs } = started;
    const job = newRun({ transfer: 'contact-import', account: account.id, id });
    await transfersQueue.send([job], { delaySeconds: nextLookSeconds(started, nowMs) });
    const uploadUrl = await importFiles.uploadUrl(account, id);
    return { id, status: 'waiting', dryRun, uploadUrl, expiresAt: iso(uploadUntilMs) };
  };
