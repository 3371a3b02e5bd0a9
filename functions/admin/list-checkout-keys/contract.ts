import * as z from 'zod';
import { checkoutKey } from '../../../shared/checkout/checkout-key.ts';
import { contract } from '../../../shared/http/contract.ts';

export const listCheckoutKeysContract = contract({
  summary: 'List the checkout keys of an account, newest first, including revoked keys',
  status: 200,
  path: z.object({ id: z.string() }),
  reply: z.array(checkoutKey),
  refuses: ['account_not_found'],
});
