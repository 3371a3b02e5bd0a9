import * as z from 'zod';
import { credits } from '../../../shared/accounts/credits.ts';
import { contract } from '../../../shared/http/contract.ts';

export const getCreditsContract = contract({
  summary: 'Get the credit counters of an account',
  status: 200,
  path: z.object({ id: z.string() }),
  reply: credits,
  refuses: ['account_not_found'],
});
