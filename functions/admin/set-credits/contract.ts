import * as z from 'zod';
import { credits } from '../../../shared/accounts/credits.ts';
import { contract } from '../../../shared/http/contract.ts';

export const setCreditsContract = contract({
  summary: 'Set the credit counters of an account',
  description:
    'A blunt tool: it replaces all three counters, and repeating it after a lost answer undoes what sends have taken since. Use it to open an account or to correct it; add credits with POST …/credits/adjustments. The ledger shows what it changed.',
  example: { email: 10_000, smsMasked: 500, smsNonMasked: 0 },
  status: 200,
  path: z.object({ id: z.string() }),
  body: credits,
  reply: credits,
  refuses: ['invalid_request', 'not_found'],
});
