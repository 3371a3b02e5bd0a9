import * as z from 'zod';
import { checkoutEventNames, usualCheckoutEvents } from '../../../shared/checkout/events.ts';
import { contract } from '../../../shared/http/contract.ts';
import { checkoutWebhook, exampleSecret, mostEvents, webhookFields } from '../../../shared/webhooks/webhook.ts';

export const createCheckoutWebhookContract = contract({
  summary: 'Subscribe a URL to checkout events',
  description:
    'The signing secret is shown only in this response. The address of the target is checked at each delivery, not here: private, loopback and link-local ones are refused. To replace the secret, create a second subscription with the same URL, accept both secrets for a while, and delete the first one. An account can have 20 subscriptions, unless its setting `webhooks.maxSubscriptions` allows more.',
  example: { url: 'https://example.com/hooks', events: ['payment.succeeded', 'payment.failed'] },
  status: 201,
  path: z.object({ id: z.string() }),
  body: z.object({
    url: webhookFields.shape.url.describe('An https URL; the local stack also accepts http.'),
    events: z
      .array(z.enum(checkoutEventNames, `must be one of ${checkoutEventNames.join(', ')}`))
      .min(1)
      .max(mostEvents)
      .default([...usualCheckoutEvents])
      .describe('If omitted, the events of payments and refunds.'),
    name: webhookFields.shape.name.default('Checkout'),
  }),
  reply: checkoutWebhook.extend({ secret: z.string().meta({ examples: [exampleSecret] }) }),
  refuses: ['invalid_request', 'account_not_found'],
});
