import { type Allowance, spend } from '../../../shared/accounts/allowance.ts';
import { makeApiKey, scopes } from '../../../shared/accounts/api-key.ts';
import { makeCheckoutKey } from '../../../shared/checkout/checkout-key.ts';
import type { AccountPeopleInput } from '../../../shared/http/account-people-surface.ts';
import type { Reply } from '../../../shared/http/contract.ts';
import { Unavailable } from '../../../shared/kit/fault.ts';
import { borrowerOf } from '../../../shared/people/person.ts';
import type { RateStore } from '../../../shared/table/accounts/rate-store.ts';
import type { AccessKeyStore } from '../../../shared/table/people/access-key-store.ts';
import type { createAccessKeyContract } from './contract.ts';

export interface CreateAccessKeyNeeds {
  readonly accessKeys: Pick<AccessKeyStore, 'lend'>;
  readonly rates: Pick<RateStore, 'count'>;
}

/** Twice as many can be valid at once, and one request can end those. */
const keysOfPerson: Allowance = {
  of: 'access-keys',
  most: 600,
  windowMinutes: 15,
  said: 'Each person may get 600 keys in 15 minutes',
};

/** Lends the caller a key that may do what their role may. */
export const createAccessKey =
  ({ accessKeys, rates }: CreateAccessKeyNeeds) =>
  async ({
    account,
    caller,
    lent,
    body,
    nowMs,
  }: AccountPeopleInput<typeof createAccessKeyContract>): Promise<Reply<typeof createAccessKeyContract>> => {
    await spend(rates, keysOfPerson, { id: borrowerOf(caller) }, nowMs);
    const role = caller.isOperator ? 'owner' : (caller.roles[account.id] ?? 'viewer');
    const allowed = role === 'viewer' ? scopes.filter((scope) => scope.endsWith(':read')) : [...scopes];
    const { key, used } =
      body.api === 'messaging'
        ? { key: makeApiKey(), used: { scopes: allowed } }
        : {
            key: makeCheckoutKey('secret', body.livemode),
            used: { kind: 'secret', livemode: body.livemode, limits: {}, isReadOnly: role !== 'owner' },
          };
    const expiresAt = await accessKeys.lend(account, caller, { api: body.api, key, used, lent }, nowMs);
    // A retry has the new role, or is refused.
    if (expiresAt === undefined) throw new Unavailable('what the caller may do has just changed');
    return { key, expiresAt, scopes: used.scopes };
  };
