import type { Reply, RequestOf } from '../../../shared/http/contract.ts';
import type { PeopleCaller } from '../../../shared/http/people-surface.ts';
import { nameOf } from '../../../shared/people/person.ts';
import { makeOperatorToken } from '../../../shared/people/secret.ts';
import type { SignInStore } from '../../../shared/table/people/sign-in-store.ts';
import type { createOperatorTokenContract } from './contract.ts';

export interface CreateOperatorTokenNeeds {
  readonly signIns: Pick<SignInStore, 'createToken'>;
}

/** Only its hash is stored. */
export const createOperatorToken =
  ({ signIns }: CreateOperatorTokenNeeds) =>
  async ({
    body: { name },
    caller,
    newId: id,
  }: RequestOf<typeof createOperatorTokenContract> & PeopleCaller): Promise<
    Reply<typeof createOperatorTokenContract>
  > => {
    const token = makeOperatorToken();
    return { ...(await signIns.createToken(token, { id, name, createdBy: nameOf(caller) })), token };
  };
