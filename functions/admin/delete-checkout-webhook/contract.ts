import * as z from 'zod';
import { contract } from '../../../shared/http/contract.ts';

export const deleteCheckoutWebhookContract = contract({
  summary: 'Delete a checkout webhook subscription and its deliveries',
  description: 'Pending deliveries are cancelled.',
  status: 204,
  path: z.object({ id: z.string(), webhookId: z.string() }),
  refuses: ['account_not_found', 'webhook_not_found'],
});
