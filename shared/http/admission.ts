import type { AccountRef } from '../kit/account-ref.ts';
import { Fault } from '../kit/fault.ts';
import type { Lent } from '../people/person.ts';
import { retryAfter } from './retry-after.ts';
import type { KeyHolder } from './surface.ts';

/** The number of uses of a key in its current minute. */
interface Usage {
  readonly limit: number;
  readonly count: number;
  readonly resetSeconds: number;
}

/** Whose key it is. */
interface KeyOwner {
  readonly account: { readonly id: string };
  readonly prefix: string;
  readonly lent?: Lent | undefined;
}

/** A key that is admitted, with its uses. */
export interface AdmittedKey extends KeyOwner, Usage {
  readonly account: AccountRef;
}

/** A known key that is not admitted: it is revoked or expired, or its account is frozen. */
export interface RefusedKey {
  readonly refused: KeyOwner;
}

/** Whose key it is, for the request log. */
export const keyHolderOf = ({ account, prefix, lent }: KeyOwner): KeyHolder => ({
  accountId: account.id,
  keyPrefix: prefix,
  ...(lent && { isFromDashboard: true }),
});

/** The rate-limit headers of every answer to a known key (messaging specification, "Limits"). */
export const usageHeaders = ({ limit, count, resetSeconds }: Usage): Record<string, string> => ({
  'X-RateLimit-Limit': String(limit),
  'X-RateLimit-Remaining': String(Math.max(0, limit - count)),
  'X-RateLimit-Reset': String(resetSeconds),
});

/** Refuses a key that is over its limit in this minute, with the time of the next one. */
export const overuse = ({ limit, count, resetSeconds }: Usage, nowMs: number) =>
  count > limit
    ? { refusal: tooOften('This key', limit), headers: retryAfter(resetSeconds - nowMs / 1_000) }
    : undefined;

export const tooOften = (subject: string, limit: number): Fault =>
  new Fault(
    'rate_limited',
    `${subject} may make ${limit} ${limit === 1 ? 'request' : 'requests'} a minute. Wait for the number of seconds in Retry-After.`,
  );
