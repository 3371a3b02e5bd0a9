import * as z from 'zod';
import { contract } from '../../../shared/http/contract.ts';
import { instantText } from '../../../shared/http/fields.ts';

export const resendFailedContract = contract({
  summary: 'Redeliver failed events since a given time',
  description:
    'Resends at most the 1,000 oldest. If `count` is 1,000 or more, there may be others: repeat the request. 400 `invalid_request` where more than 100,000 deliveries have been made since then, or where they have more than 100 MB of answers: choose a later `since`, or resend single deliveries. Events of messaging can also be replayed in shorter periods, by `POST /api/v1/webhooks/{id}/replay` with `onlyFailed`.',
  example: { since: '2026-11-20T12:00:00Z' },
  status: 202,
  path: z.object({ id: z.string(), webhookId: z.string() }),
  body: z.object({
    since: instantText.describe('ISO 8601; events that happened at or after this time.'),
    states: z
      .array(z.enum(['failed', 'cancelled']))
      .min(1)
      .default(['failed'])
      .describe('The deliveries to resend. `cancelled`: those that ended because the subscription was paused.'),
  }),
  reply: z.object({ count: z.int().meta({ examples: [7] }) }),
  refuses: ['invalid_request', 'account_not_found', 'webhook_not_found'],
});
