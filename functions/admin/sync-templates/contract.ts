import * as z from 'zod';
import { contract } from '../../../shared/http/contract.ts';

export const syncTemplatesContract = contract({
  summary: 'Sync the WhatsApp templates of an account with Meta',
  status: 200,
  path: z.object({ id: z.string() }),
  reply: z.object({
    synced: z.int().describe('How many templates Meta has.'),
    changed: z.int().describe('How many of ours are new, changed or disabled now.'),
  }),
  refuses: ['invalid_request', 'not_found', 'upstream_unavailable'],
});
