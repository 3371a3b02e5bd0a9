import * as z from 'zod';
import { causeOf, log } from '../kit/log.ts';

/** One part of a round over all accounts: those after this id, or the first ones. */
export const roundJob = z.object({ after: z.string().optional() });

export type RoundJob = z.output<typeof roundJob>;

/** The number of accounts per job. */
const accountsAtATime = 25;

interface Round<Account> {
  page(after: string | undefined, limit: number): Promise<readonly Account[]>;
  visit(account: Account): Promise<unknown>;
  goOn(job: RoundJob): Promise<void>;
}

/** Visits the accounts of one part, and queues the next part. A failure at one account does not stop the others; the next round visits it again. */
export const goRound = async <Account extends { readonly id: string }>(
  { page, visit, goOn }: Round<Account>,
  { after }: RoundJob,
): Promise<void> => {
  const accounts = await page(after, accountsAtATime);
  for (const account of accounts) {
    try {
      await visit(account);
    } catch (thrown) {
      log('error', 'an account was left out of a round', { account: account.id, ...causeOf(thrown) });
    }
  }
  const last = accounts.at(-1);
  if (last && accounts.length === accountsAtATime) await goOn({ after: last.id });
};
