import type { Reply, RequestOf } from '../../../shared/http/contract.ts';
import type { PeopleCaller } from '../../../shared/http/people-surface.ts';
import { setCookie } from '../../../shared/people/session-cookie.ts';
import type { AccessKeyStore } from '../../../shared/table/people/access-key-store.ts';
import type { SignInStore } from '../../../shared/table/people/sign-in-store.ts';
import type { signOutContract } from './contract.ts';

export interface SignOutNeeds {
  readonly signIns: Pick<SignInStore, 'signOut'>;
  readonly accessKeys: Pick<AccessKeyStore, 'end'>;
}

/** Ends the keys of the session before it, because an ended session cannot sign out again; and after it, for those that were made meanwhile. */
export const signOut =
  ({ signIns, accessKeys }: SignOutNeeds) =>
  async ({
    caller,
    nowMs,
  }: RequestOf<typeof signOutContract> & PeopleCaller): Promise<Reply<typeof signOutContract>> => {
    if (caller.kind === 'session') {
      const endKeys = () => accessKeys.end(caller.person, { session: caller.id }, nowMs);
      await endKeys();
      await signIns.signOut(caller.hash);
      await endKeys();
    }
    return { data: undefined, headers: { 'Set-Cookie': setCookie('', 0) } };
  };
