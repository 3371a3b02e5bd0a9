import * as z from 'zod';
import { contract } from '../../../shared/http/contract.ts';

export const revokeOperatorTokenContract = contract({
  summary: 'Revoke an operator token immediately',
  status: 204,
  path: z.object({ tokenId: z.string() }),
  refuses: ['not_found'],
});
