import * as z from 'zod';
import { contract } from '../../../shared/http/contract.ts';

export const revokeCheckoutKeyContract = contract({
  summary: 'Revoke a checkout key immediately',
  status: 204,
  path: z.object({ keyId: z.string() }),
  refuses: ['checkout_key_not_found'],
});
