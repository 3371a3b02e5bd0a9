import type { Scope } from './accounts/api-key.ts';
import { accountPeopleSurface } from './http/account-people-surface.ts';
import { apiKeySurface } from './http/api-key-surface.ts';
import { type AcceptedKeys, checkoutSurface } from './http/checkout-surface.ts';
import { corsHeaders } from './http/cors.ts';
import type { Noting } from './http/lent-key.ts';
import { browserCalls, limiting, peoplesChanges } from './http/limiting.ts';
import { payerSurface } from './http/payer-surface.ts';
import { type PeopleNeeds, peopleSurface, type Wanted } from './http/people-surface.ts';
import { olderEnvelope } from './http/surface.ts';
import * as live from './live.ts';

/**
 * The surfaces, made of the real things. A function gets the one that its row in `infra/routes.ts` chooses, by `callersOf`; nothing else
 * imports this file.
 */

/** Callers of the messaging API: with a key of this scope, or with any. */
export const apiKeyCallers = (scope?: Scope, noting?: Noting) =>
  apiKeySurface({
    apiKeys: live.apiKeys(),
    audit: live.audit(),
    idempotencyKeys: live.idempotencyKeys(),
    scope,
    noting,
  });

/** Callers of webhook management, with a key of this scope, or with any. They are refused in the older shape. */
export const webhookCallers = (...wanted: Parameters<typeof apiKeyCallers>) => ({
  ...apiKeyCallers(...wanted),
  faultBody: olderEnvelope,
});

/** Callers of the checkout API, with keys of these kinds. */
export const checkoutCallers = (accepts: AcceptedKeys) =>
  checkoutSurface({ accounts: live.accounts(), checkoutKeys: live.checkoutKeys(), audit: live.audit(), accepts });

/** The same, where pages of shops call too. */
export const shopCallers = () => limiting(checkoutCallers('secret-or-publishable'), browserCalls, live.rates());

/** People and operator tokens. */
export const people = (wanted: Wanted, whileActive?: PeopleNeeds['whileActive']) =>
  limiting(
    peopleSurface({
      wanted,
      signIns: live.signIns(),
      members: live.members(),
      whileActive,
      resourceOwners: live.resourceOwners(),
      audit: live.audit(),
    }),
    peoplesChanges,
    live.rates(),
  );

/** The same, but members only while their account is not frozen. */
export const peopleWhileActive = (wanted: Wanted) => people(wanted, live.accounts());

/** People and operator tokens on the account that the path names. */
export const accountPeople = (wanted: Wanted) =>
  accountPeopleSurface({ callers: people(wanted), accounts: live.accounts(), idempotencyKeys: live.idempotencyKeys() });

/** Payers on the hosted page. */
export const payers = () => payerSurface({ rates: live.rates() });

/** Payers on pages of other origins, which may read answers that need neither key nor cookie. */
export const payersOnAnyPage = () => payerSurface({ rates: live.rates(), headers: corsHeaders('*') });
