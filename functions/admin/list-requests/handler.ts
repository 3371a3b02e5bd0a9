import type { RequestLog } from '../../../shared/aws/request-log.ts';
import type { AccountPeopleInput } from '../../../shared/http/account-people-surface.ts';
import type { Reply } from '../../../shared/http/contract.ts';
import { cursorOf, type listRequestsContract } from './contract.ts';

export interface ListRequestsNeeds {
  readonly requests: Pick<RequestLog, 'list'>;
}

/** One page of the requests that were made with the account's keys. */
export const listRequests =
  ({ requests }: ListRequestsNeeds) =>
  async ({
    account,
    query: { cursor, limit, ...filter },
    nowMs,
  }: AccountPeopleInput<typeof listRequestsContract>): Promise<Reply<typeof listRequestsContract>> => {
    const { rows, next } = await requests.list(account.id, { filter, before: cursor, limit }, nowMs);
    return {
      data: rows.map(({ routeKey: route, keyPrefix = null, ...row }) => ({ ...row, route, keyPrefix })),
      pagination: { cursor: next ? cursorOf(next) : null, hasMore: next !== undefined },
    };
  };
