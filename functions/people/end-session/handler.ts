import type { Reply, RequestOf } from '../../../shared/http/contract.ts';
import type { PeopleCaller } from '../../../shared/http/people-surface.ts';
import { Fault } from '../../../shared/kit/fault.ts';
import type { AccessKeyStore } from '../../../shared/table/people/access-key-store.ts';
import type { SignInStore } from '../../../shared/table/people/sign-in-store.ts';
import type { endSessionContract } from './contract.ts';

export interface EndSessionNeeds {
  readonly signIns: Pick<SignInStore, 'endSession'>;
  readonly accessKeys: Pick<AccessKeyStore, 'end'>;
}

/** A session of another person is unknown here. Repeated, it ends the keys that a run that was cut off has left. */
export const endSession =
  ({ signIns, accessKeys }: EndSessionNeeds) =>
  async ({
    caller,
    path: { sessionId: session },
    nowMs,
  }: RequestOf<typeof endSessionContract> & PeopleCaller): Promise<Reply<typeof endSessionContract>> => {
    const isEnded = caller.kind === 'session' && (await signIns.endSession(caller.person, session));
    await accessKeys.end(caller.person, { session }, nowMs);
    if (!isEnded) throw new Fault('not_found', 'None of your sessions has this id.');
  };
