import * as z from 'zod';
import { contract } from '../../../shared/http/contract.ts';
import { webhook, webhookFields } from '../../../shared/webhooks/webhook.ts';

export const updateWebhookContract = contract({
  summary: 'Change, pause or resume a webhook subscription',
  description:
    'Only what is sent changes; `events` is replaced. Pausing ends what is still to be delivered, and the account’s admins are told by email. The secret stays.',
  example: { isActive: false },
  status: 200,
  path: z.object({ id: z.string() }),
  body: webhookFields.partial(),
  reply: webhook,
  refuses: ['invalid_request', 'webhook_not_found'],
});
