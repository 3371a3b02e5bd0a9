import * as z from 'zod';
import { contract } from '../../../shared/http/contract.ts';
import { checkoutWebhook } from '../../../shared/webhooks/webhook.ts';

export const listCheckoutWebhooksContract = contract({
  summary: 'List the checkout webhook subscriptions of an account',
  description: 'Returns all of them, newest first.',
  status: 200,
  path: z.object({ id: z.string() }),
  reply: z.array(checkoutWebhook),
  refuses: ['account_not_found'],
});
