import * as z from 'zod';
import { contract } from '../../../shared/http/contract.ts';

export const syncTemplatesContract = contract({
  summary: 'Sync the WhatsApp templates of an account with Meta',
  status: 200,
  path: z.object({ id: z.string() }),
  reply: z.object({
    synced: z
      .int()
      .describe('The number of templates at Meta.')
      .meta({ examples: [12] }),
    changed: z
      .int()
      .describe('The number of stored templates that this sync added, changed or disabled.')
      .meta({ examples: [2] }),
  }),
  refuses: ['invalid_request', 'account_not_found', 'upstream_unavailable'],
});
