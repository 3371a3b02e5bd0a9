import * as z from 'zod';
import { contract } from '../../../shared/http/contract.ts';
import { webhook, webhookFields } from '../../../shared/webhooks/webhook.ts';

export const updateWebhookContract = contract({
  summary: 'Update, pause or resume a webhook subscription',
  description:
    'Omitted fields, and fields that are `null`, are unchanged; `events` is replaced. Pausing cancels the pending deliveries, and the account’s admins are notified by email. Resuming does not deliver them: `POST /webhooks/{id}/replay` delivers again what happened since a given time. The secret does not change.',
  example: { isActive: true },
  status: 200,
  path: z.object({ id: z.string() }),
  body: webhookFields.partial(),
  reply: webhook.extend({
    missedSince: z
      .string()
      .optional()
      .describe(
        'Only with `isActive: true`, on a subscription whose last pause was because all its deliveries had failed for 5 days: since when. Use it as `since` of `POST /webhooks/{id}/replay`.',
      ),
  }),
  refuses: ['invalid_request', 'webhook_not_found'],
});
