import * as z from 'zod';
import { causeOf, log } from '../kit/log.ts';

/** One stretch of a round of all accounts: those after this id, or the first. */
export const roundJob = z.object({ after: z.string().optional() });

export type RoundJob = z.output<typeof roundJob>;

/** How many accounts are visited by one job. */
const accountsAtATime = 25;

interface Round<Account> {
  page(after: string | undefined, limit: number): Promise<readonly Account[]>;
  visit(account: Account): Promise<unknown>;
  goOn(job: RoundJob): Promise<void>;
}

/** Visits the accounts of one stretch and has the round go on after them. An account where that fails holds up no other: it is visited by the next round. */
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
