import type { Reply } from '../../../shared/http/contract.ts';
import type { SignInStore } from '../../../shared/table/people/sign-in-store.ts';
import type { listOperatorTokensContract } from './contract.ts';

export interface ListOperatorTokensNeeds {
  readonly signIns: Pick<SignInStore, 'tokens'>;
}

/** Revoked tokens are gone. */
export const listOperatorTokens =
  ({ signIns }: ListOperatorTokensNeeds) =>
  (): Promise<Reply<typeof listOperatorTokensContract>> =>
    signIns.tokens();
