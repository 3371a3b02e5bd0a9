import * as z from 'zod';
import { contract } from '../../../shared/http/contract.ts';

export const testWebhookContract = contract({
  summary: 'Send a test event to a webhook subscription',
  description:
    'Makes one attempt, even if the subscription is paused. An account may send 120 tests a minute. The attempt is logged and counted. `statusCode` 0 means that there was no response; `responseBody` then says why.',
  status: 200,
  path: z.object({ id: z.string() }),
  reply: z.object({
    success: z.boolean().meta({ examples: [true] }),
    statusCode: z.int().meta({ examples: [200] }),
    responseTime: z
      .int()
      .describe('In milliseconds.')
      .meta({ examples: [84] }),
    responseBody: z
      .string()
      .describe('The first 2,000 characters of the response.')
      .meta({ examples: ['ok'] }),
  }),
  refuses: ['webhook_not_found'],
});
