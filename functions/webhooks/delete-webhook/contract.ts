import * as z from 'zod';
import { contract } from '../../../shared/http/contract.ts';

export const deleteWebhookContract = contract({
  summary: 'Delete a webhook subscription and its delivery logs',
  description: 'Pending deliveries are cancelled.',
  status: 204,
  path: z.object({ id: z.string() }),
  refuses: ['webhook_not_found'],
});
