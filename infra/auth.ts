import type { Scope } from '../shared/accounts/api-key.ts';
import type { AcceptedKeys } from '../shared/http/checkout-surface.ts';
import type { Noting } from '../shared/http/lent-key.ts';
import type { Wanted } from '../shared/http/people-surface.ts';
import type { Power } from './powers.ts';

/**
 * Who may call an endpoint:
 * `apiKey`: the holder of an API key with this scope, or of `any` key; `noting`: what the audit log has of people who were lent one;
 * `checkoutKey`: the holder of a secret checkout key, or of any;
 * `role`: a person with a session, or a script with an operator token, in this role or a higher one, on the account of what the path names (`of`);
 * with `isNotedOf`, the audit log has what programs change by it, not the dashboard;
 * with `gives: 'account'`, its function gets the account; with `whileActive`, members may not call while the account is frozen, and operators may;
 * `payer`: anyone, counted by client address and checkout session;
 * `payerToken`: payers with an unguessable token in the path, which the function itself verifies. They are not counted: many share the address of
 * their provider, a return that is refused is lost, and to read that a token is unknown costs less than to count it;
 * `provider`: anyone, counted by address, because the function itself verifies the signature or token of the provider's call;
 * `public`: anyone.
 */
export type Auth =
  | { readonly apiKey: Scope | 'any'; readonly noting?: Noting }
  | { readonly checkoutKey: AcceptedKeys }
  | (Wanted & { readonly gives?: 'account'; readonly whileActive?: never })
  | (Wanted & { readonly gives?: never; readonly whileActive?: true })
  | 'payer'
  | 'payerToken'
  | 'provider'
  | 'public';

type AuthKind = Extract<Auth, string> | 'apiKey' | 'checkoutKey' | 'role';

export const kindOf = (auth: Auth): AuthKind => {
  if (typeof auth === 'string') return auth;
  if ('apiKey' in auth) return 'apiKey';
  return 'checkoutKey' in auth ? 'checkoutKey' : 'role';
};

const powers: Partial<Record<AuthKind, readonly Power[]>> = {
  apiKey: ['api-keys:admit', 'audit:add'],
  // A frozen account's keys are refused.
  checkoutKey: ['api-keys:admit', 'account:read', 'audit:add'],
  payer: ['rates:count'],
  provider: ['rates:count'],
};

/** The area of the table that says whose something is. */
const areaOf = {
  account: [],
  contact: ['contacts:read'],
  payment: ['checkout:read'],
  session: ['checkout:read'],
  apiKey: ['keys:read'],
  checkoutKey: ['keys:read'],
} as const satisfies Record<NonNullable<Wanted['of']>, readonly Power[]>;

/** What a function needs to let its callers in, beside what its row needs. */
export const powersFor = (auth: Auth): readonly Power[] =>
  typeof auth === 'object' && 'role' in auth
    ? [
        'people:read',
        'sign-ins:read',
        'audit:add',
        'rates:count',
        'data:open',
        ...areaOf[auth.of ?? 'account'],
        ...(auth.gives || auth.whileActive ? (['account:read'] as const) : []),
      ]
    : (powers[kindOf(auth)] ?? []);

/** What a key needs to be granted; undefined where any key will do, or keys have no scopes. */
export const scopeOf = (auth: Auth): Scope | undefined =>
  typeof auth === 'object' && 'apiKey' in auth && auth.apiKey !== 'any' ? auth.apiKey : undefined;
