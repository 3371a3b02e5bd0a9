import type { Reply, RequestOf } from '../../../shared/http/contract.ts';
import { cursorPage } from '../../../shared/kit/cursor-page.ts';
import { platform } from '../../../shared/people/person.ts';
import type { MemberStore } from '../../../shared/table/people/member-store.ts';
import type { listOperatorsContract } from './contract.ts';

export interface ListOperatorsNeeds {
  readonly members: Pick<MemberStore, 'list'>;
}

/** Who may use every account. */
export const listOperators =
  ({ members }: ListOperatorsNeeds) =>
  async ({
    query: { cursor, limit },
  }: RequestOf<typeof listOperatorsContract>): Promise<Reply<typeof listOperatorsContract>> => {
    const { page, pagination } = await cursorPage(limit, (most) => members.list(platform, { cursor, limit: most }));
    return { data: page, pagination };
  };
