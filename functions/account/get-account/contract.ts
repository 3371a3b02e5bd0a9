import * as z from 'zod';
import { accountSettings } from '../../../shared/accounts/account.ts';
import { scope } from '../../../shared/accounts/api-key.ts';
import { credits } from '../../../shared/accounts/credits.ts';
import { contract } from '../../../shared/http/contract.ts';
import { exampleId } from '../../../shared/kit/id.ts';

const { name, status } = accountSettings.shape;

export const getAccountContract = contract({
  summary: 'Get the account of the key',
  description: 'Any key may ask, regardless of its scopes.',
  status: 200,
  reply: z
    .object({
      id: z.string().describe('`tenantId` in webhooks of messaging, `merchantId` in those of checkout.'),
      name,
      status: status.describe('A `frozen` account cannot send: 422 `send_blocked`.'),
      scopes: z.array(scope).describe('Of the key used for the request.'),
      rateLimitPerMinute: z.int().describe('Of the key used for the request.'),
      credits: credits.describe('The credits that are left on each counter.'),
    })
    .meta({
      id: 'OwnAccount',
      description: 'An account as its own keys see it.',
      examples: [
        {
          id: exampleId,
          name: 'Books & Co.',
          status: 'active',
          scopes: ['messages:send', 'messages:read'],
          rateLimitPerMinute: 1_000,
          credits: { email: 9_990, smsMasked: 500, smsNonMasked: 0 },
        },
      ],
    }),
});
