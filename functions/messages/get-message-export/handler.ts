import type { Input, Reply } from '../../../shared/http/contract.ts';
import { Fault } from '../../../shared/kit/fault.ts';
import type { MessageFilter } from '../../../shared/messages/message-filter.ts';
import type { ExportFiles } from '../../../shared/table/transfers/export-files.ts';
import type { TransferStore } from '../../../shared/table/transfers/transfer-store.ts';
import { type Export, reportOf } from '../../../shared/transfers/export.ts';
import type { getMessageExportContract } from './contract.ts';

export interface GetMessageExportNeeds {
  readonly messageExports: Pick<TransferStore<Export<MessageFilter>>, 'find'>;
  readonly exportFiles: Pick<ExportFiles, 'urlFor'>;
}

/** How far an export is; a new link to its file when it is complete. */
export const getMessageExport =
  ({ messageExports, exportFiles }: GetMessageExportNeeds) =>
  async ({
    account,
    path: { id },
    nowMs,
  }: Input<typeof getMessageExportContract>): Promise<Reply<typeof getMessageExportContract>> => {
    const found = await messageExports.find(account, id, nowMs);
    if (!found) throw new Fault('not_found', 'No export of messages has this id.');
    const url = found.status === 'completed' ? await exportFiles.urlFor(account, id, 'messages') : undefined;
    return reportOf(id, found, url, nowMs);
  };
