import * as z from 'zod';
import { contract } from '../../../shared/http/contract.ts';
import { instantText } from '../../../shared/http/fields.ts';

export const resendFailedContract = contract({
  summary: 'Redeliver failed events since a given time',
  description: 'The thousand oldest of them; while `count` is 1,000 there may be more, and the call may be repeated.',
  example: { since: '2026-11-20T12:00:00Z' },
  status: 202,
  path: z.object({ id: z.string(), webhookId: z.string() }),
  body: z.object({
    since: instantText.describe('ISO 8601: when the events happened, at or after.'),
    states: z
      .array(z.enum(['failed', 'cancelled']))
      .min(1)
      .default(['failed'])
      .describe('Which deliveries: `cancelled` are those that a pause ended.'),
  }),
  reply: z.object({ count: z.int() }),
  refuses: ['invalid_request', 'not_found', 'webhook_not_found'],
});
