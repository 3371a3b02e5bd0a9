import type { AccountPeopleInput } from '../../../shared/http/account-people-surface.ts';
import type { Reply } from '../../../shared/http/contract.ts';
import { cursorPage } from '../../../shared/kit/cursor-page.ts';
import type { AuditStore } from '../../../shared/table/people/audit-store.ts';
import type { listAccountChangesContract } from './contract.ts';

export interface ListAccountChangesNeeds {
  readonly audit: Pick<AuditStore, 'list'>;
}

/** Who changed what, when and from where. */
export const listAccountChanges =
  ({ audit }: ListAccountChangesNeeds) =>
  async ({
    account,
    query: { cursor, limit, from, to },
    nowMs,
  }: AccountPeopleInput<typeof listAccountChangesContract>): Promise<Reply<typeof listAccountChangesContract>> => {
    const { page, pagination } = await cursorPage(limit, (most) =>
      audit.list(account.id, { cursor, limit: most, fromMs: from, toMs: to }, nowMs),
    );
    return { data: page, pagination };
  };
