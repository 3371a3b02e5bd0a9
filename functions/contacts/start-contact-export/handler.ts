import { type Allowances, exportsOfAccount, spend } from '../../../shared/accounts/allowance.ts';
import type { Queue } from '../../../shared/aws/queue.ts';
import { type ContactFilter, contactFilter } from '../../../shared/contacts/contact-filter.ts';
import type { Input, Reply } from '../../../shared/http/contract.ts';
import type { TransferStore } from '../../../shared/table/transfers/transfer-store.ts';
import { type Export, newExport, reportOf } from '../../../shared/transfers/export.ts';
import { newRun, type TransferJob } from '../../../shared/transfers/jobs.ts';
import type { startContactExportContract } from './contract.ts';

export interface StartContactExportNeeds {
  readonly contactExports: Pick<TransferStore<Export<ContactFilter>>, 'add'>;
  readonly rates: Allowances;
  readonly transfersQueue: Queue<TransferJob>;
}

/** A file of the account's contacts, which is written in the background. */
export const startContactExport =
  ({ contactExports, rates, transfersQueue }: StartContactExportNeeds) =>
  async ({
    account,
    query,
    newId: id,
    nowMs,
  }: Input<typeof startContactExportContract>): Promise<Reply<typeof startContactExportContract>> => {
    const begun = newExport(contactFilter(query), nowMs);
    await spend(rates, exportsOfAccount, account, nowMs);
    await contactExports.add(account, id, begun, nowMs);
    await transfersQueue.send([newRun({ transfer: 'contact-export', account: account.id, id })]);
    return reportOf(id, begun, undefined, nowMs);
  };
