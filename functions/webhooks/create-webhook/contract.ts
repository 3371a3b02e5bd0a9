import * as z from 'zod';
import { contract } from '../../../shared/http/contract.ts';
import { exampleSecret, webhook, webhookFields } from '../../../shared/webhooks/webhook.ts';

export const createWebhookContract = contract({
  summary: 'Subscribe a URL to events',
  description:
    'The signing secret is shown only in this response. The address of the target is checked at each delivery, not here: private, loopback and link-local ones are refused. An account can have 20 subscriptions, unless an operator raises this limit.',
  example: { name: 'Orders', url: 'https://example.com/hooks', events: ['message.sent', 'message.failed'] },
  status: 201,
  body: webhookFields.extend({ isActive: webhookFields.shape.isActive.default(true) }),
  reply: z.object({ webhook, secret: z.string().meta({ examples: [exampleSecret] }) }),
  refuses: ['invalid_request'],
});
