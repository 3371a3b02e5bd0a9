import * as z from 'zod';
import { contract } from '../../../shared/http/contract.ts';
import { webhook, webhookFields } from '../../../shared/webhooks/webhook.ts';

export const createWebhookContract = contract({
  summary: 'Subscribe a url to events',
  description:
    'The signing secret is shown only here. Whether the target may be called is checked at each delivery. An account can have 20 subscriptions, unless an operator allows it more.',
  example: { name: 'Orders', url: 'https://example.com/hooks', events: ['message.sent', 'message.failed'] },
  status: 201,
  body: webhookFields.extend({ isActive: webhookFields.shape.isActive.default(true) }),
  reply: z.object({ webhook, secret: z.string() }),
  refuses: ['invalid_request'],
});
