import * as z from 'zod';
import { contract } from '../../../shared/http/contract.ts';

export const testWebhookContract = contract({
  summary: 'Send a test event to a webhook subscription',
  description:
    'One attempt, also where the subscription is paused; it is logged and counted. Status 0: there was no answer, and `responseBody` says why.',
  status: 200,
  path: z.object({ id: z.string() }),
  reply: z.object({
    success: z.boolean(),
    statusCode: z.int(),
    responseTime: z.int().describe('In milliseconds.'),
    responseBody: z.string().describe('The first 2,000 characters of the answer.'),
  }),
  refuses: ['webhook_not_found'],
});
