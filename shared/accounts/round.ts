import * as z from 'zod';
import { InternalError } from '../kit/internal-error.ts';
import { causeOf, log, logAbout } from '../kit/log.ts';
import type { Clock } from '../kit/time.ts';
import { withinTime } from '../kit/time-limit.ts';

/** One part of a round over all accounts: those after this id, or the first ones. */
export const roundJob = z.object({ after: z.string().optional() });

export type RoundJob = z.output<typeof roundJob>;

/** The most accounts per job. */
const accountsAtATime = 25;
/** A job begins with no further account after this time: an account may take `longestVisitMs`, and its function has 25 seconds. */
const beginsForMs = 3_000;
const longestVisitMs = 18_000;

interface Round<Account> {
  page(after: string | undefined, limit: number): Promise<readonly Account[]>;
  visit(account: Account): Promise<unknown>;
  /** Queues the next part. */
  queueNext(job: RoundJob): Promise<void>;
}

/** A visit that takes longer fails, and ends at its next call of another service. */
const withinVisit = async (visit: () => Promise<unknown>, visitMs: number): Promise<void> => {
  const over = Promise.withResolvers<never>();
  const timer = setTimeout(() => over.reject(new InternalError('a visit took too long', { visitMs })), visitMs);
  try {
    await Promise.race([withinTime(Date.now() + visitMs, visit), over.promise]);
  } finally {
    clearTimeout(timer);
  }
};

/**
 * Visits the accounts of one part, and queues the next part. A slow account, or a failure at one, does not stop the others; the next round visits
 * it again.
 */
export const goRound = async <Account extends { readonly id: string }>(
  { page, visit, queueNext }: Round<Account>,
  { after }: RoundJob,
  { clock = Date.now, visitMs = longestVisitMs }: { readonly clock?: Clock; readonly visitMs?: number } = {},
): Promise<void> => {
  const endMs = clock() + beginsForMs;
  const visitNoted = async (account: Account): Promise<void> => {
    try {
      await withinVisit(() => visit(account), visitMs);
    } catch (thrown) {
      log('error', 'an account was left out of a round', causeOf(thrown));
    }
  };
  const accounts = await page(after, accountsAtATime);
  let visited = 0;
  for (const account of accounts) {
    if (visited > 0 && clock() >= endMs) break;
    await logAbout({ accountId: account.id }, () => visitNoted(account));
    visited += 1;
  }
  const last = accounts[visited - 1];
  if (last && (visited < accounts.length || accounts.length === accountsAtATime)) await queueNext({ after: last.id });
};
