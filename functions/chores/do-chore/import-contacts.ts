import type { Queue } from '../../../shared/aws/queue.ts';
import type { AccountRef } from '../../../shared/kit/account-ref.ts';
import type { Clock } from '../../../shared/kit/time.ts';
import type { AccountStore } from '../../../shared/table/accounts/account-store.ts';
import type { Hold, TransferStore } from '../../../shared/table/transfers/transfer-store.ts';
import {
  type ContactImport,
  failed,
  mostImportBytes,
  nextLookSeconds,
} from '../../../shared/transfers/contact-import.ts';
import { newRun, type TransferJob } from '../../../shared/transfers/jobs.ts';
import { blockOfRow, type ImportRowsNeeds, importRows } from './import-rows.ts';

export interface ImportContactsNeeds extends ImportRowsNeeds {
  readonly accounts: Pick<AccountStore, 'find'>;
  readonly contactImports: TransferStore<ContactImport>;
  readonly transfersQueue: Queue<TransferJob>;
  readonly clock: Clock;
}

/** A run ends well before the function's timeout of 25 s; what it has not saved is done again. */
const runMs = 8_000;

/** Why a file is not read at all. */
const faultOf = (file: { readonly bytes: number; readonly isCompressed: boolean }): string | undefined => {
  const { bytes, isCompressed } = file;
  if (isCompressed) return 'the file has a Content-Encoding; upload it uncompressed';
  if (bytes === 0) return 'the file is empty';
  return bytes > mostImportBytes ? 'the file has more than 50 MB' : undefined;
};

const isOpen = ({ status }: ContactImport): boolean => status === 'waiting' || status === 'processing';

/** How many rows are checked and created together. */
const rowsAtOnce = 200;

/** One run of an import: it looks for the file, or creates the contacts of its next rows. The next run goes on. */
export const importContacts = (needs: ImportContactsNeeds, atOnce = rowsAtOnce) => {
  const { accounts, contactImports, importFiles, transfersQueue, clock } = needs;

  /** Saves the state after a run and queues the next run, or removes the file of an import that has ended. */
  const end = async (job: TransferJob, account: AccountRef, hold: Hold, after: ContactImport): Promise<void> => {
    if (!(await contactImports.save(account, hold, after))) return;
    const next = newRun(job);
    if (after.status === 'processing') await transfersQueue.send([next]);
    if (after.status === 'waiting')
      await transfersQueue.send([next], { delaySeconds: nextLookSeconds(after, clock()) });
    // It is personal data, and no longer needed.
    if (!isOpen(after)) await importFiles.remove(account, job.id);
  };

  /** Does the work of one run, and returns the state after it, which is not saved yet. */
  const advance = async (
    account: AccountRef,
    id: string,
    state: ContactImport,
    nowMs: number,
  ): Promise<ContactImport> => {
    if (state.status === 'processing' && state.offset >= state.fileBytes) return complete(account, id, state, nowMs);
    if (state.status === 'processing')
      return importRows(needs, { account, id, before: state }, { untilMs: nowMs + runMs, atOnce });
    const file = await importFiles.find(account, id);
    if (!file) return nowMs < state.uploadUntilMs ? state : failed(state, 'no file was uploaded within an hour', nowMs);
    const fault = faultOf(file);
    if (fault) return failed(state, fault, nowMs);
    // Its rows are for the next run, because their contacts are created from now on.
    return { ...state, status: 'processing', fileBytes: file.bytes, fileTag: file.tag };
  };

  /** A run of its own, because its rows must not be read again once the file of refused ones is complete. */
  const complete = async (
    account: AccountRef,
    id: string,
    state: ContactImport,
    nowMs: number,
  ): Promise<ContactImport> => {
    if (state.duplicates + state.errors > 0)
      await (await importFiles.growRefused(account, id, state.refused)).complete();
    return { ...state, status: 'completed', endedMs: nowMs };
  };

  return async (job: TransferJob): Promise<void> => {
    const account = (await accounts.find(job.account))?.ref;
    const nowMs = clock();
    const claimed = account && (await contactImports.claim(account, job.id, job.run, nowMs));
    if (!claimed) return;
    // The run that ended it may have died before it removed the file.
    if (!isOpen(claimed.state)) return importFiles.remove(account, job.id);
    const { hold, state } = claimed;
    const after = await advance(account, job.id, state, nowMs);
    const isNextBlock = state.status === 'waiting' || blockOfRow(after.total) > blockOfRow(state.total);
    // Never back, where the clock of another run was ahead: ids of different rows would be the same.
    const savedMs = isNextBlock ? after.savedMs && Math.max(after.savedMs, clock()) : after.savedMs;
    await end(job, account, hold, { ...after, savedMs });
  };
};
