import * as z from 'zod';
import { causeOf, log, logAbout } from '../kit/log.ts';
import type { Clock } from '../kit/time.ts';

/** One part of a round over all accounts: those after this id, or the first ones. */
export const roundJob = z.object({ after: z.string().optional() });

export type RoundJob = z.output<typeof roundJob>;

/** The most accounts per job. */
const accountsAtATime = 25;
/** A job begins with no further account after this time: an account may take twenty seconds, and its function has 25. */
const beginsForMs = 3_000;

interface Round<Account> {
  page(after: string | undefined, limit: number): Promise<readonly Account[]>;
  visit(account: Account): Promise<unknown>;
  goOn(job: RoundJob): Promise<void>;
}

/**
 * Visits the accounts of one part, and queues the next part. A slow account, or a failure at one, does not stop the others; the next round visits
 * it again.
 */
export const goRound = async <Account extends { readonly id: string }>(
  { page, visit, goOn }: Round<Account>,
  { after }: RoundJob,
  clock: Clock = Date.now,
): Promise<void> => {
  const endMs = clock() + beginsForMs;
  const visitNoted = async (account: Account): Promise<void> => {
    try {
      await visit(account);
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
  if (last && (visited < accounts.length || accounts.length === accountsAtATime)) await goOn({ after: last.id });
};
