import type { Reply, RequestOf } from '../../../shared/http/contract.ts';
import type { PeopleCaller } from '../../../shared/http/people-surface.ts';
import { endSessionWithKeys } from '../../../shared/people/end-session.ts';
import { setCookie } from '../../../shared/people/session-cookie.ts';
import type { AccessKeyStore } from '../../../shared/table/people/access-key-store.ts';
import type { SignInStore } from '../../../shared/table/people/sign-in-store.ts';
import type { signOutContract } from './contract.ts';

export interface SignOutNeeds {
  readonly signIns: Pick<SignInStore, 'lendNoMore' | 'signOut'>;
  readonly accessKeys: Pick<AccessKeyStore, 'end'>;
}

export const signOut =
  (needs: SignOutNeeds) =>
  async ({
    caller,
    nowMs,
  }: RequestOf<typeof signOutContract> & PeopleCaller): Promise<Reply<typeof signOutContract>> => {
    if (caller.kind === 'session') await endSessionWithKeys(needs, caller.person, caller, nowMs);
    return { data: undefined, headers: { 'Set-Cookie': setCookie('', 0) } };
  };
