import type { AccountRef } from '../kit/account-ref.ts';
import type { Replays } from './replays.ts';

/** The idempotency keys of callers that act on an account: the account's. `keyOf`: the name that a caller's key is kept under. */
export const accountReplays = (
  replays: Replays<AccountRef>,
  keyOf: (key: string) => string = (key) => key,
): Replays<{ readonly account: AccountRef }> => ({
  claim: ({ account }, wanted, nowMs) => replays.claim(account, { ...wanted, key: keyOf(wanted.key) }, nowMs),
  complete: ({ account }, claim, reply) => replays.complete(account, claim, reply),
  release: ({ account }, claim) => replays.release(account, claim),
  end: ({ account }, claim) => replays.end(account, claim),
});
