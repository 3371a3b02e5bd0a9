import type { ContactFilter } from '../../../shared/contacts/contact-filter.ts';
import type { Input, Reply } from '../../../shared/http/contract.ts';
import { Fault } from '../../../shared/kit/fault.ts';
import type { ExportFiles } from '../../../shared/table/transfers/export-files.ts';
import type { TransferStore } from '../../../shared/table/transfers/transfer-store.ts';
import { type Export, reportOf } from '../../../shared/transfers/export.ts';
import type { getContactExportContract } from './contract.ts';

export interface GetContactExportNeeds {
  readonly contactExports: Pick<TransferStore<Export<ContactFilter>>, 'find'>;
  readonly exportFiles: Pick<ExportFiles, 'urlFor'>;
}

/** How far an export is; a new link to its file when it is complete. */
export const getContactExport =
  ({ contactExports, exportFiles }: GetContactExportNeeds) =>
  async ({
    account,
    path: { id },
    nowMs,
  }: Input<typeof getContactExportContract>): Promise<Reply<typeof getContactExportContract>> => {
    const found = await contactExports.find(account, id, nowMs);
    if (!found) throw new Fault('not_found', 'No export of contacts has this id.');
    const url = found.status === 'completed' ? await exportFiles.urlFor(account, id, 'contacts') : undefined;
    return reportOf(id, found, url, nowMs);
  };
