import * as z from 'zod';
import { contract } from '../../../shared/http/contract.ts';
import { webhook } from '../../../shared/webhooks/webhook.ts';

export const listWebhooksContract = contract({
  summary: 'List the messaging webhook subscriptions of an account',
  description: 'Returns all of them, newest first. Members who may not manage webhooks see them here.',
  status: 200,
  path: z.object({ id: z.string() }),
  reply: z.array(webhook),
  refuses: ['account_not_found'],
});
