import * as z from 'zod';
import { contract } from '../../../shared/http/contract.ts';
import { instantText } from '../../../shared/http/fields.ts';
import { grouped } from '../../../shared/kit/grouped.ts';
import { eventNames } from '../../../shared/webhooks/events.ts';
import { mostLogMegabytes } from '../../../shared/webhooks/log-row.ts';
import { mostLookedThrough, mostReplayed } from '../../../shared/webhooks/replay-span.ts';

export const replayEventsContract = contract({
  summary: 'Deliver the events of a period again',
  description: `Everything of the last 30 days that happened in this period and that the subscription asks for now is delivered again, under the same event ids and with the same sequence numbers, so a receiver that deduplicates by event id processes each once. That includes events that the subscription never received, because it was paused, did not exist yet or did not ask for them. With \`onlyFailed\`, only deliveries that have failed in all their attempts. Limits of a request: ${grouped(mostReplayed)} deliveries, and in the period ${grouped(mostLookedThrough)} events of any name; with \`onlyFailed\`, in the period ${grouped(mostReplayed)} deliveries of any outcome, and ${mostLogMegabytes} MB of their responses. An event that was recorded more than a day after \`until\` may be left out. The deliveries are queued in the background.`,
  example: { since: '2026-11-20T12:00:00Z' },
  status: 202,
  path: z.object({ id: z.string() }),
  body: z.object({
    since: instantText.describe('ISO 8601; events that happened at or after this time.'),
    until: instantText
      .optional()
      .describe(
        'ISO 8601; events that happened at or before this time. Default: now, which also stands for a later time.',
      ),
    events: z
      .array(z.enum(eventNames))
      .min(1)
      .optional()
      .describe('Only these of the events that the subscription asks for. Default: all of them.'),
    onlyFailed: z.boolean().default(false).describe('Only deliveries that have failed in all their attempts.'),
  }),
  reply: z.object({
    deliveries: z
      .int()
      .describe(
        `How many deliveries begin. An event that was recorded ${grouped(mostLookedThrough)} events after \`until\` is not counted.`,
      )
      .meta({ examples: [42] }),
  }),
  refuses: ['invalid_request', 'webhook_not_found'],
});
