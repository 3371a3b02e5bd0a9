import * as z from 'zod';
import { credits } from '../../../shared/accounts/credits.ts';
import { contract } from '../../../shared/http/contract.ts';

export const setCreditsContract = contract({
  summary: 'Set the credit counters of an account',
  description:
    'Replaces all three counters. If you repeat it after a lost response, it overwrites what sends have spent since then. Use it to set up or to correct an account; to add credits, use POST …/credits/adjustments. The ledger records the change.',
  example: { email: 10_000, smsMasked: 500, smsNonMasked: 0 },
  status: 200,
  path: z.object({ id: z.string() }),
  body: credits,
  reply: credits,
  refuses: ['invalid_request', 'account_not_found'],
});
