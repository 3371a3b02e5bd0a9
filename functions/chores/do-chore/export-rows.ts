import type { Queue } from '../../../shared/aws/queue.ts';
import type { AccountRef } from '../../../shared/kit/account-ref.ts';
import type { Clock } from '../../../shared/kit/time.ts';
import type { AccountStore } from '../../../shared/table/accounts/account-store.ts';
import type { ExportFiles } from '../../../shared/table/transfers/export-files.ts';
import type { TransferStore } from '../../../shared/table/transfers/transfer-store.ts';
import { csvLine } from '../../../shared/transfers/csv.ts';
import type { Export } from '../../../shared/transfers/export.ts';
import { guardedCell } from '../../../shared/transfers/guarded-cell.ts';
import { newRun, type TransferJob } from '../../../shared/transfers/jobs.ts';

export interface ExportRowsNeeds {
  readonly accounts: Pick<AccountStore, 'find'>;
  readonly exportFiles: Pick<ExportFiles, 'grow'>;
  readonly transfersQueue: Queue<TransferJob>;
  readonly clock: Clock;
}

/** What is exported: a list that is read by cursor, and the columns of its rows. */
interface Source<Filter, Row> {
  readonly exports: TransferStore<Export<Filter>>;
  readonly columns: Readonly<Record<string, (row: Row) => string | null>>;
  /** `next`: the cursor of the next page; undefined at the end. */
  page(
    account: AccountRef,
    filter: Export<Filter>['filter'],
    cursor: string | undefined,
  ): Promise<{ readonly rows: readonly Row[]; readonly next: string | undefined }>;
}

/** A run ends well before the function's timeout of 25 s. */
const runMs = 8_000;

/** One run of an export: it writes the rows of the next pages. The next run goes on after them. */
export const exportRows = <Filter, Row>(
  { accounts, exportFiles, transfersQueue, clock }: ExportRowsNeeds,
  { exports, columns, page }: Source<Filter, Row>,
) => {
  const lineOf = (row: Row): string => csvLine(Object.values(columns).map((cellOf) => guardedCell(cellOf(row) ?? '')));

  const write = async (
    account: AccountRef,
    id: string,
    before: Export<Filter>,
    untilMs: number,
  ): Promise<Export<Filter>> => {
    const file = await exportFiles.grow(account, id, before.file);
    if (before.cursor === null) await file.append(csvLine(Object.keys(columns)));
    let state = before;
    do {
      const { rows, next } = await page(account, state.filter, state.cursor ?? undefined);
      await file.append(rows.map(lineOf).join(''));
      state = { ...state, rows: state.rows + rows.length, cursor: next ?? state.cursor, isRead: next === undefined };
    } while (!state.isRead && !file.isFull() && clock() < untilMs);
    return { ...state, file: await file.keep() };
  };

  const complete = async (
    account: AccountRef,
    id: string,
    state: Export<Filter>,
    nowMs: number,
  ): Promise<Export<Filter>> => {
    await (await exportFiles.grow(account, id, state.file)).complete();
    return { ...state, status: 'completed', endedMs: nowMs };
  };

  return async (job: TransferJob): Promise<void> => {
    const account = (await accounts.find(job.account))?.ref;
    const nowMs = clock();
    const claimed = account && (await exports.claim(account, job.id, job.run, nowMs));
    if (!account || claimed?.state.status !== 'processing') return;
    const { hold, state } = claimed;
    const after = await (state.isRead
      ? complete(account, job.id, state, nowMs)
      : write(account, job.id, state, nowMs + runMs));
    const isSaved = await exports.save(account, hold, after);
    if (isSaved && after.status === 'processing') await transfersQueue.send([newRun(job)]);
  };
};
