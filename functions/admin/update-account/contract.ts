import * as z from 'zod';
import { account, sentAccountChanges } from '../../../shared/accounts/account.ts';
import { contract } from '../../../shared/http/contract.ts';

export const updateAccountContract = contract({
  summary: 'Change the settings of an account',
  description:
    'Omitted settings are unchanged, also within a group. `null` clears a setting that may be `null`, and leaves every other one unchanged.',
  example: { email: { verifiedDomains: ['shop.example'] }, checkout: { sendsReceipts: true } },
  status: 200,
  path: z.object({ id: z.string() }),
  body: sentAccountChanges,
  reply: account,
  refuses: ['invalid_request', 'account_not_found', 'conflict'],
  refusesWhen: { conflict: 'Another account has this sms sender.' },
});
