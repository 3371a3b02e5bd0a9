import type { Scope } from '../shared/accounts/api-key.ts';
import type { Power } from './powers.ts';

/**
 * Who may call an endpoint:
 * `apiKey`: the holder of an API key with this scope, or of `any` key;
 * `checkoutKey`: the holder of a secret checkout key, or of any;
 * `operator`: a caller whom IAM authorizes; with `operator: 'account'`, on the account that `{id}` of the path names;
 * `payer`: anyone, counted by client address and checkout session;
 * `provider`: anyone, counted by address, because the function itself verifies the signature or token of the provider's call;
 * `public`: anyone.
 */
export type Auth =
  | { readonly apiKey: Scope | 'any' }
  | { readonly checkoutKey: 'secret' | 'secret-or-publishable' }
  | { readonly operator: 'account' }
  | 'operator'
  | 'payer'
  | 'provider'
  | 'public';

type AuthKind = Extract<Auth, string> | 'apiKey' | 'checkoutKey';

export const kindOf = (auth: Auth): AuthKind => {
  if (typeof auth === 'string') return auth;
  if ('apiKey' in auth) return 'apiKey';
  return 'checkoutKey' in auth ? 'checkoutKey' : 'operator';
};

const powers: Partial<Record<AuthKind, readonly Power[]>> = {
  apiKey: ['api-keys:admit'],
  // A frozen account's keys are refused.
  checkoutKey: ['api-keys:admit', 'account:read'],
  payer: ['addresses:count'],
  provider: ['addresses:count'],
};

/** What a function needs to let its callers in, beside what its row needs. */
export const powersFor = (auth: Auth): readonly Power[] =>
  typeof auth === 'object' && 'operator' in auth ? ['account:read'] : (powers[kindOf(auth)] ?? []);

/** What a key needs to be granted; undefined where any key will do, or keys have no scopes. */
export const scopeOf = (auth: Auth): Scope | undefined =>
  typeof auth === 'object' && 'apiKey' in auth && auth.apiKey !== 'any' ? auth.apiKey : undefined;
