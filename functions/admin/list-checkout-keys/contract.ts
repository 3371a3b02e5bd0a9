import * as z from 'zod';
import { checkoutKey } from '../../../shared/checkout/checkout-key.ts';
import { contract } from '../../../shared/http/contract.ts';
import { cursorPagination, cursorQuery } from '../../../shared/http/cursor.ts';

export const listCheckoutKeysContract = contract({
  summary: 'List the checkout keys of an account, newest first, including revoked keys',
  description: 'A page ends before it has `limit` rows, with `hasMore`, where they have more than 2.5 MB of JSON.',
  status: 200,
  path: z.object({ id: z.string() }),
  query: z.object(cursorQuery({ defaultLimit: 1_000, most: 1_000 })),
  reply: z.array(checkoutKey),
  beside: z.object({ pagination: cursorPagination }),
  refuses: ['invalid_request', 'account_not_found'],
});
