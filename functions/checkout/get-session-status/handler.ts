import { type PollNeeds, pollSession } from '../../../shared/checkout/poll.ts';
import { statusAt } from '../../../shared/checkout/session-status.ts';
import type { Reply, RequestOf } from '../../../shared/http/contract.ts';
import { existing } from '../../../shared/kit/not-found.ts';
import type { SessionStore } from '../../../shared/table/checkout/session-store.ts';
import type { getSessionStatusContract } from './contract.ts';

export interface GetSessionStatusNeeds extends PollNeeds {
  readonly sessions: Pick<SessionStore, 'find'>;
}

/** The status of a session. A poll also starts a check of the pending payment at its gateway, which replaces lost callbacks. */
export const getSessionStatus =
  (needs: GetSessionStatusNeeds) =>
  async ({
    path,
    nowMs,
  }: RequestOf<typeof getSessionStatusContract>): Promise<Reply<typeof getSessionStatusContract>> => {
    const found = existing('session_not_found', await needs.sessions.find(path.id));
    const { session } = await pollSession(needs)(found, nowMs);
    return statusAt(session, nowMs);
  };
