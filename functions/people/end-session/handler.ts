import type { Reply, RequestOf } from '../../../shared/http/contract.ts';
import type { PeopleCaller } from '../../../shared/http/people-surface.ts';
import { Fault } from '../../../shared/kit/fault.ts';
import { endSessionWithKeys } from '../../../shared/people/end-session.ts';
import type { AccessKeyStore } from '../../../shared/table/people/access-key-store.ts';
import type { SignInStore } from '../../../shared/table/people/sign-in-store.ts';
import type { endSessionContract } from './contract.ts';

export interface EndSessionNeeds {
  readonly signIns: Pick<SignInStore, 'hashOfSession' | 'lendNoMore' | 'signOut'>;
  readonly accessKeys: Pick<AccessKeyStore, 'end'>;
}

/** A session of another person is unknown here. */
export const endSession =
  (needs: EndSessionNeeds) =>
  async ({
    caller,
    path: { sessionId: id },
    nowMs,
  }: RequestOf<typeof endSessionContract> & PeopleCaller): Promise<Reply<typeof endSessionContract>> => {
    const hash = caller.kind === 'session' ? await needs.signIns.hashOfSession(caller.person, id) : undefined;
    if (hash === undefined) throw new Fault('not_found', 'None of your sessions has this id.');
    await endSessionWithKeys(needs, caller.person, { id, hash }, nowMs);
  };
