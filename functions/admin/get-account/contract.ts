import * as z from 'zod';
import { account } from '../../../shared/accounts/account.ts';
import { contract } from '../../../shared/http/contract.ts';

export const getAccountContract = contract({
  summary: 'Get an account',
  status: 200,
  path: z.object({ id: z.string() }),
  reply: account,
  refuses: ['account_not_found'],
});
