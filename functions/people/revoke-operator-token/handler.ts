import type { Reply, RequestOf } from '../../../shared/http/contract.ts';
import { Fault } from '../../../shared/kit/fault.ts';
import type { AccessKeyStore } from '../../../shared/table/people/access-key-store.ts';
import type { SignInStore } from '../../../shared/table/people/sign-in-store.ts';
import type { revokeOperatorTokenContract } from './contract.ts';

export interface RevokeOperatorTokenNeeds {
  readonly signIns: Pick<SignInStore, 'revokeToken'>;
  readonly accessKeys: Pick<AccessKeyStore, 'end'>;
}

/** Its next request is refused, and so are the keys that were made with it. Repeated, it ends those that a run that was cut off has left. */
export const revokeOperatorToken =
  ({ signIns, accessKeys }: RevokeOperatorTokenNeeds) =>
  async ({
    path: { tokenId },
    nowMs,
  }: RequestOf<typeof revokeOperatorTokenContract>): Promise<Reply<typeof revokeOperatorTokenContract>> => {
    const isRevoked = await signIns.revokeToken(tokenId);
    await accessKeys.end(tokenId, {}, nowMs);
    if (!isRevoked) throw new Fault('not_found', 'No operator token has this id.');
  };
