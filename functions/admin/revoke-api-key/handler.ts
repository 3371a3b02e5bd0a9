import type { Reply, RequestOf } from '../../../shared/http/contract.ts';
import { notFound } from '../../../shared/kit/not-found.ts';
import type { ApiKeyStore } from '../../../shared/table/accounts/api-key-store.ts';
import type { revokeApiKeyContract } from './contract.ts';

export interface RevokeApiKeyNeeds {
  readonly apiKeys: Pick<ApiKeyStore, 'revoke'>;
}

/** The key's next request is refused. Revoking it again changes nothing. */
export const revokeApiKey =
  ({ apiKeys }: RevokeApiKeyNeeds) =>
  async ({ path, nowMs }: RequestOf<typeof revokeApiKeyContract>): Promise<Reply<typeof revokeApiKeyContract>> => {
    if (!(await apiKeys.revoke(path.keyId, nowMs))) throw notFound('api_key_not_found');
  };
