import * as z from 'zod';
import { apiKey } from '../../../shared/accounts/api-key.ts';
import { contract } from '../../../shared/http/contract.ts';
import { cursorPagination, cursorQuery } from '../../../shared/http/cursor.ts';

export const listApiKeysContract = contract({
  summary: 'List the API keys of an account, newest first, including revoked keys',
  description: 'A page ends before it has `limit` rows, with `hasMore`, where they have more than 2.5 MB of JSON.',
  status: 200,
  path: z.object({ id: z.string() }),
  query: z.object(cursorQuery({ defaultLimit: 1_000, most: 1_000 })),
  reply: z.array(apiKey),
  beside: z.object({ pagination: cursorPagination }),
  refuses: ['invalid_request', 'account_not_found'],
});
