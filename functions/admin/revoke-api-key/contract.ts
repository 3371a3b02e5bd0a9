import * as z from 'zod';
import { contract } from '../../../shared/http/contract.ts';

export const revokeApiKeyContract = contract({
  summary: 'Revoke an API key immediately',
  status: 204,
  path: z.object({ keyId: z.string() }),
  refuses: ['api_key_not_found'],
});
