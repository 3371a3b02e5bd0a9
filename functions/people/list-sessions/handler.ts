import type { Reply, RequestOf } from '../../../shared/http/contract.ts';
import type { PeopleCaller } from '../../../shared/http/people-surface.ts';
import type { SignInStore } from '../../../shared/table/people/sign-in-store.ts';
import type { listSessionsContract } from './contract.ts';

export interface ListSessionsNeeds {
  readonly signIns: Pick<SignInStore, 'sessions'>;
}

/** Where the caller is signed in. */
export const listSessions =
  ({ signIns }: ListSessionsNeeds) =>
  async ({
    caller,
    nowMs,
  }: RequestOf<typeof listSessionsContract> & PeopleCaller): Promise<Reply<typeof listSessionsContract>> => {
    const sessions = caller.kind === 'session' ? await signIns.sessions(caller.person, nowMs) : [];
    return sessions.map((session) => ({ ...session, isCurrent: session.id === caller.id }));
  };
