import type { APIGatewayProxyEventV2 } from 'aws-lambda';
import type { AccountRef } from '../kit/account-ref.ts';
import { Fault } from '../kit/fault.ts';
import { accountIdempotencyKeys } from './account-idempotency-keys.ts';
import { type AdmittedKey, keyHolderOf, overuse, type RefusedKey, usageHeaders } from './admission.ts';
import { credentialsIn } from './credentials.ts';
import type { IdempotencyKeys } from './idempotency-keys.ts';
import { type Audit, type Noting, noteChange } from './lent-key.ts';
import { envelope, type Surface } from './surface.ts';

interface Needs {
  readonly apiKeys: {
    admit(
      key: string,
      nowMs: number,
    ): Promise<(AdmittedKey & { readonly scopes: readonly string[] }) | RefusedKey | undefined>;
  };
  readonly audit: Audit;
  readonly idempotencyKeys: IdempotencyKeys<AccountRef>;
  /** The scope that a key needs for this endpoint; undefined when any key will do. */
  readonly scope: string | undefined;
  readonly noting?: Noting | undefined;
}

/** An account, by one of its keys. */
export interface ApiKeyCaller {
  readonly account: AccountRef;
  readonly key: { readonly scopes: readonly string[]; readonly rateLimitPerMinute: number };
}

/** Callers with an API key (messaging specification, "Authentication" and "Limits"): refused with 401, then 429, then 403. */
export const apiKeySurface = ({ apiKeys, audit, idempotencyKeys, scope, noting }: Needs): Surface<ApiKeyCaller> => ({
  identify: async (event, nowMs) => {
    const key = keyIn(event);
    const admission = key === undefined ? undefined : await apiKeys.admit(key, nowMs);
    if (!admission || 'refused' in admission) {
      const known = admission && { keyHolder: keyHolderOf(admission.refused) };
      return { headers: challenge, ...known, refusal: unauthorized(key) };
    }
    const { account, scopes, limit: rateLimitPerMinute } = admission;
    const keyHolder = keyHolderOf(admission);
    const headers = usageHeaders(admission);
    const excess = overuse(admission, nowMs);
    if (excess) return { headers: { ...headers, ...excess.headers }, keyHolder, refusal: excess.refusal };
    const noted = await noteChange(audit, event, admission, nowMs, noting);
    if (scope !== undefined && !scopes.includes(scope)) {
      const refusal = new Fault('forbidden_scope', `This key does not have the scope ${scope}.`);
      return { headers, keyHolder, ...noted, refusal };
    }
    return { headers, keyHolder, ...noted, who: { account, key: { scopes, rateLimitPerMinute } } };
  },
  faultBody: envelope,
  idempotencyKeys: accountIdempotencyKeys(idempotencyKeys),
});

const challenge = { 'WWW-Authenticate': 'ApiKey realm="messaging", Bearer realm="messaging"' };

const unauthorized = (key: string | undefined): Fault => {
  if (!key)
    return new Fault('unauthorized', 'The API key is missing. Send it as X-API-Key, or as Authorization: Bearer.');
  return new Fault(
    'unauthorized',
    /^[sp]k_/.test(key)
      ? 'This is a key of the checkout API. Keys of the messaging API begin with mk_.'
      : 'The API key is malformed, unknown or revoked.',
  );
};

/** `X-API-Key: K`, `Authorization: ApiKey K` and `Authorization: Bearer K` are the same. */
const keyIn = (event: APIGatewayProxyEventV2): string | undefined =>
  event.headers['x-api-key']?.trim() || credentialsIn(event, ['apikey', 'bearer']);
