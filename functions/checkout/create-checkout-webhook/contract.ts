import * as z from 'zod';
import { checkoutEventNames } from '../../../shared/checkout/events.ts';
import { contract } from '../../../shared/http/contract.ts';
import { checkoutWebhook, mostEvents, webhookFields } from '../../../shared/webhooks/webhook.ts';

export const createCheckoutWebhookContract = contract({
  summary: 'Subscribe a url to events of the checkout',
  description:
    'The signing secret is shown only here. Whether the target may be called is checked at each delivery. An account can have 20 subscriptions, unless its setting `webhooks.maxSubscriptions` allows more.',
  example: { url: 'https://example.com/hooks', events: ['payment.succeeded', 'payment.failed'] },
  status: 201,
  path: z.object({ id: z.string() }),
  body: z.object({
    url: webhookFields.shape.url.describe('https; the local stack takes http too.'),
    events: z
      .array(z.enum(checkoutEventNames, `must be one of ${checkoutEventNames.join(', ')}`))
      .max(mostEvents)
      .default([...checkoutEventNames])
      .describe('All of them, unless some are named.'),
    name: webhookFields.shape.name.default('Checkout'),
  }),
  reply: checkoutWebhook.extend({ secret: z.string() }),
  refuses: ['invalid_request', 'not_found'],
});
