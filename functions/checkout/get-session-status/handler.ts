import { type PollNeeds, pollSession } from '../../../shared/checkout/poll.ts';
import { statusAt } from '../../../shared/checkout/session-status.ts';
import type { Reply, RequestOf } from '../../../shared/http/contract.ts';
import { existing } from '../../../shared/kit/not-found.ts';
import type { SessionStore } from '../../../shared/table/checkout/session-store.ts';
import type { getSessionStatusContract } from './contract.ts';

export interface GetSessionStatusNeeds extends PollNeeds {
  readonly sessions: Pick<SessionStore, 'find'>;
}

/** How a session stands. Whoever asks sets going that the payment under way is asked about, which finds callbacks that were lost. */
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
