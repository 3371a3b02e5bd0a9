import * as z from 'zod';
import { contract } from '../../../shared/http/contract.ts';
import { webhook } from '../../../shared/webhooks/webhook.ts';

export const getWebhookContract = contract({
  summary: 'Get a webhook subscription',
  status: 200,
  path: z.object({ id: z.string() }),
  reply: webhook,
  refuses: ['webhook_not_found'],
});
