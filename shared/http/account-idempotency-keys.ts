import type { AccountRef } from '../kit/account-ref.ts';
import type { IdempotencyKeys } from './idempotency-keys.ts';

/** The idempotency keys of callers that act on an account: the account's. `keyOf`: the name that a caller's key is kept under. */
export const accountIdempotencyKeys = (
  idempotencyKeys: IdempotencyKeys<AccountRef>,
  keyOf: (key: string) => string = (key) => key,
): IdempotencyKeys<{ readonly account: AccountRef }> => ({
  claim: ({ account }, wanted, nowMs) => idempotencyKeys.claim(account, { ...wanted, key: keyOf(wanted.key) }, nowMs),
  complete: ({ account }, claim, reply) => idempotencyKeys.complete(account, claim, reply),
  release: ({ account }, claim) => idempotencyKeys.release(account, claim),
  end: ({ account }, claim) => idempotencyKeys.end(account, claim),
});
