import * as z from 'zod';
import { contract } from '../../../shared/http/contract.ts';

export const deleteCheckoutWebhookContract = contract({
  summary: 'Delete a webhook subscription of the checkout and its deliveries',
  description: 'Nothing more is delivered to it, also of what has happened already.',
  status: 204,
  path: z.object({ id: z.string(), webhookId: z.string() }),
  refuses: ['not_found', 'webhook_not_found'],
});
