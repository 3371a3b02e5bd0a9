import * as z from 'zod';
import { scope } from '../../../shared/accounts/api-key.ts';
import { contract } from '../../../shared/http/contract.ts';

export const createAccessKeyContract = contract({
  summary: 'Get a key of a public API for 15 minutes',
  description:
    'What the dashboard calls the public APIs with. The key may do what the caller’s role allows: with messaging, a viewer’s key has the scopes that read; with the checkout, keys of viewers and developers answer GET only. It ends with the session or the membership, and is not in the lists of keys. A person gets at most 600 in each quarter of an hour. Changes made with it are in the audit log.',
  example: { api: 'messaging' },
  status: 201,
  path: z.object({ id: z.string() }),
  body: z.discriminatedUnion('api', [
    z.object({ api: z.literal('messaging') }),
    z.object({ api: z.literal('checkout'), livemode: z.boolean() }),
  ]),
  reply: z.object({
    key: z.string().meta({ examples: [`mk_${'0123456789abcdef'.repeat(4)}`] }),
    expiresAt: z.string().meta({ format: 'date-time', examples: ['2026-11-20T12:15:00.000Z'] }),
    scopes: z
      .array(scope)
      .optional()
      .meta({ examples: [['messages:read']] }),
  }),
  refuses: ['invalid_request', 'account_not_found', 'rate_limited'],
});
