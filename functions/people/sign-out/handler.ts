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

/** The session ends first, so that no key is made in it afterwards. */
export const signOut =
  ({ signIns, accessKeys }: SignOutNeeds) =>
  async ({
    caller,
    nowMs,
  }: RequestOf<typeof signOutContract> & PeopleCaller): Promise<Reply<typeof signOutContract>> => {
    if (caller.kind === 'session') {
      await signIns.signOut(caller.hash);
      await accessKeys.end(caller.person, { session: caller.id }, nowMs);
    }
    return { data: undefined, headers: { 'Set-Cookie': setCookie('', 0) } };
  };
