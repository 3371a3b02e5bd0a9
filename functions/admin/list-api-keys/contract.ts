import * as z from 'zod';
import { apiKey } from '../../../shared/accounts/api-key.ts';
import { contract } from '../../../shared/http/contract.ts';

export const listApiKeysContract = contract({
  summary: 'List the API keys of an account, newest first, including revoked keys',
  status: 200,
  path: z.object({ id: z.string() }),
  reply: z.array(apiKey),
  refuses: ['account_not_found'],
});
