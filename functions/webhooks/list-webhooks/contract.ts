import * as z from 'zod';
import { contract } from '../../../shared/http/contract.ts';
import { webhook } from '../../../shared/webhooks/webhook.ts';

export const listWebhooksContract = contract({
  summary: 'List webhook subscriptions',
  description: 'Returns all of them, newest first.',
  status: 200,
  reply: z.array(webhook),
});
