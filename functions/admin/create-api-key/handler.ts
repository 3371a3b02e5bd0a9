import { makeApiKey } from '../../../shared/accounts/api-key.ts';
import { refuseRaisedLimit } from '../../../shared/accounts/raised-limit.ts';
import type { Reply, RequestOf } from '../../../shared/http/contract.ts';
import type { PeopleCaller } from '../../../shared/http/people-surface.ts';
import { existing } from '../../../shared/kit/not-found.ts';
import type { AccountStore } from '../../../shared/table/accounts/account-store.ts';
import type { ApiKeyStore } from '../../../shared/table/accounts/api-key-store.ts';
import type { createApiKeyContract } from './contract.ts';

export interface CreateApiKeyNeeds {
  readonly accounts: Pick<AccountStore, 'find'>;
  readonly apiKeys: Pick<ApiKeyStore, 'create'>;
}

/** A key works at once, until it is revoked. Only its hash is stored. */
export const createApiKey =
  ({ accounts, apiKeys }: CreateApiKeyNeeds) =>
  async ({
    path,
    body,
    newId,
    nowMs,
    caller,
  }: RequestOf<typeof createApiKeyContract> & PeopleCaller): Promise<Reply<typeof createApiKeyContract>> => {
    refuseRaisedLimit(caller, body);
    const account = existing('account_not_found', await accounts.find(path.id));
    const key = makeApiKey();
    return { ...(await apiKeys.create(account.ref, key, { ...body, id: newId }, nowMs)), key };
  };
