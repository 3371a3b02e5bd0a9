import * as z from 'zod';
import { apiKey, scope } from '../../../shared/accounts/api-key.ts';
import { keyLimit } from '../../../shared/accounts/raised-limit.ts';
import { contract } from '../../../shared/http/contract.ts';
import { line } from '../../../shared/kit/line.ts';

export const createApiKeyContract = contract({
  summary: 'Create an API key; the key is shown only in this response',
  example: { name: 'Shop', scopes: ['messages:send', 'messages:read'] },
  status: 201,
  path: z.object({ id: z.string() }),
  body: z.object({
    name: line(z.string().trim().min(1).max(100)),
    scopes: z
      .array(scope)
      .min(1)
      .transform((all) => [...new Set(all)]),
    rateLimitPerMinute: keyLimit,
  }),
  reply: apiKey.extend({ key: z.string().meta({ examples: [`mk_${'0123456789abcdef'.repeat(4)}`] }) }),
  refuses: ['invalid_request', 'account_not_found'],
});
