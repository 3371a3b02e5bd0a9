import { type Allowances, exportsOfAccount, spend } from '../../../shared/accounts/allowance.ts';
import type { Queue } from '../../../shared/aws/queue.ts';
import type { Input, Reply } from '../../../shared/http/contract.ts';
import { type MessageFilter, messageFilter } from '../../../shared/messages/message-filter.ts';
import type { TransferStore } from '../../../shared/table/transfers/transfer-store.ts';
import { type Export, newExport, reportOf } from '../../../shared/transfers/export.ts';
import { newRun, type TransferJob } from '../../../shared/transfers/jobs.ts';
import type { startMessageExportContract } from './contract.ts';

export interface StartMessageExportNeeds {
  readonly messageExports: Pick<TransferStore<Export<MessageFilter>>, 'add'>;
  readonly rates: Allowances;
  readonly transfersQueue: Queue<TransferJob>;
}

/** A file of the account's messages, which is written in the background. */
export const startMessageExport =
  ({ messageExports, rates, transfersQueue }: StartMessageExportNeeds) =>
  async ({
    account,
    query,
    newId: id,
    nowMs,
  }: Input<typeof startMessageExportContract>): Promise<Reply<typeof startMessageExportContract>> => {
    const begun = newExport(messageFilter(query), nowMs);
    await spend(rates, exportsOfAccount, account, nowMs);
    await messageExports.add(account, id, begun, nowMs);
    await transfersQueue.send([newRun({ transfer: 'message-export', account: account.id, id })]);
    return reportOf(id, begun, undefined, nowMs);
  };
