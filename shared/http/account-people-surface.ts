import type { AccountRef } from '../kit/account-ref.ts';
import { notFound } from '../kit/not-found.ts';
import { keyOfPeople } from '../people/idempotency-key.ts';
import { nameOf } from '../people/person.ts';
import { accountIdempotencyKeys } from './account-idempotency-keys.ts';
import type { Contract, RequestOf } from './contract.ts';
import type { IdempotencyKeys } from './idempotency-keys.ts';
import type { PeopleCaller } from './people-surface.ts';
import { envelope, type Surface } from './surface.ts';

interface Needs {
  readonly callers: Surface<PeopleCaller>;
  readonly accounts: { find(id: string): Promise<{ readonly ref: AccountRef } | undefined> };
  readonly idempotencyKeys: IdempotencyKeys<AccountRef>;
}

export interface AccountPeopleCaller extends PeopleCaller {
  readonly account: AccountRef;
  /** Whom the ledger names. */
  readonly callerName: string;
}

/** The input of a handler behind this surface. */
export type AccountPeopleInput<C extends Contract> = RequestOf<C> & AccountPeopleCaller;

/** The callers of the admin API, with the account that the `id` of the path names. */
export const accountPeopleSurface = ({ callers, accounts, idempotencyKeys }: Needs): Surface<AccountPeopleCaller> => ({
  identify: async (event, nowMs) => {
    const identity = await callers.identify(event, nowMs);
    if ('refusal' in identity) return identity;
    const { who, ...others } = identity;
    const account = await accounts.find(event.pathParameters?.['id'] ?? '');
    if (!account) return { ...others, refusal: notFound('account_not_found') };
    return { ...others, who: { ...who, account: account.ref, callerName: nameOf(who.caller) } };
  },
  faultBody: envelope,
  idempotencyKeys: accountIdempotencyKeys(idempotencyKeys, (key) => keyOfPeople('operator', key)),
});
