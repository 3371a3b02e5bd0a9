import type { Reply, RequestOf } from '../../../shared/http/contract.ts';
import { cursorPage } from '../../../shared/kit/cursor-page.ts';
import type { AuditStore } from '../../../shared/table/people/audit-store.ts';
import type { listChangesContract } from './contract.ts';

export interface ListChangesNeeds {
  readonly audit: Pick<AuditStore, 'list'>;
}

/** Who changed what, when and from where. */
export const listChanges =
  ({ audit }: ListChangesNeeds) =>
  async ({
    query: { cursor, limit, from, to },
    nowMs,
  }: RequestOf<typeof listChangesContract>): Promise<Reply<typeof listChangesContract>> => {
    const { page, pagination } = await cursorPage(limit, (most) =>
      audit.list(undefined, { cursor, limit: most, fromMs: from, toMs: to }, nowMs),
    );
    return { data: page, pagination };
  };
