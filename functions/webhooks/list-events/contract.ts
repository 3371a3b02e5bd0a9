import * as z from 'zod';
import { contract } from '../../../shared/http/contract.ts';
import { cursorPagination, cursorQuery } from '../../../shared/http/cursor.ts';
import { instantText } from '../../../shared/http/fields.ts';
import { isId, newerExampleId } from '../../../shared/kit/id.ts';
import { JsonText } from '../../../shared/kit/json-text.ts';
import { type EventName, eventNames } from '../../../shared/webhooks/events.ts';
import { exampleEvent } from '../../../shared/webhooks/payload.ts';

const isEventName = (name: string): name is EventName => eventNames.some((known) => known === name);

export const listEventsContract = contract({
  summary: 'List events, oldest first',
  description:
    'Every event of the last 30 days, whether a subscription wants it or not, exactly as its webhook delivery has it in its body. Events are listed in the order in which they were written, so an event that is written late is never passed by: after an outage, read on after the last event that you have read from this list, and not after the last delivery, because deliveries arrive in any order. A page ends before it has `limit` rows, with `hasMore`, where they have more than 2.5 MB of JSON.',
  status: 200,
  query: z.object({
    since: instantText.optional().describe('ISO 8601; events that happened at or after this time.'),
    types: z
      .string()
      .transform((list) => list.split(',').map((name) => name.trim()))
      .pipe(z.array(z.string().refine(isEventName, `must be among ${eventNames.join(', ')}`)))
      .optional()
      .meta({ description: 'Event names, separated by commas. Default: all.', examples: ['message.sent'] }),
    limit: cursorQuery({ defaultLimit: 20 }).limit,
    cursor: z
      .string()
      .refine((text) => /^evt_/.test(text) && isId(text.slice(4)), 'must be the id of an event')
      .meta({
        description:
          'The `pagination.cursor` of the previous page, or the `id` of any event of the last 30 days: the list begins after it.',
        examples: [`evt_${newerExampleId}`],
      })
      .optional(),
  }),
  reply: z.array(
    z.instanceof(JsonText).meta({
      type: 'object',
      description: 'The body of the webhook request: `id`, `event`, `createdAt`, `data`.',
      examples: [exampleEvent],
    }),
  ),
  beside: z.object({ pagination: cursorPagination }),
  refuses: ['invalid_request'],
});
