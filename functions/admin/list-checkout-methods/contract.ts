import * as z from 'zod';
import { shownMethod } from '../../../shared/checkout/methods.ts';
import { contract } from '../../../shared/http/contract.ts';

export const listCheckoutMethodsContract = contract({
  summary: 'List the payment methods of an account, in display order',
  status: 200,
  path: z.object({ id: z.string() }),
  reply: z.array(shownMethod),
  refuses: ['account_not_found'],
});
