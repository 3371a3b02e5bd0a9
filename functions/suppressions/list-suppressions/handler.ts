import type { Input, Reply } from '../../../shared/http/contract.ts';
import { filteredPage } from '../../../shared/kit/cursor-page.ts';
import type { SuppressionStore } from '../../../shared/table/contacts/suppression-store.ts';
import type { listSuppressionsContract } from './contract.ts';

export interface ListSuppressionsNeeds {
  readonly suppressions: Pick<SuppressionStore, 'list' | 'listOf'>;
}

/** Addresses that are not to be written to, newest first, or what there is of one address. */
export const listSuppressions =
  ({ suppressions }: ListSuppressionsNeeds) =>
  async ({
    account,
    query,
  }: Input<typeof listSuppressionsContract>): Promise<Reply<typeof listSuppressionsContract>> => {
    const { address, channel, reason, cursor, limit } = query;
    const read = (part: Parameters<SuppressionStore['list']>[1]) =>
      address ? suppressions.listOf(account, address, part) : suppressions.list(account, part);
    const { page, pagination } = await filteredPage(
      { cursor, limit },
      async (part) => (await read(part)).map((row) => ({ id: row.id, row })),
      (row) => (channel ?? row.channel) === row.channel && (reason ?? row.reason) === row.reason,
    );
    return { data: page, pagination };
  };
