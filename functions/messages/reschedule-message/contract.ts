import * as z from 'zod';
import { contract } from '../../../shared/http/contract.ts';
import { instantText } from '../../../shared/http/fields.ts';
import { exampleMessage, message } from '../../../shared/messages/message.ts';
import { exampleSendTime, mostAheadDays } from '../../../shared/messages/send-time.ts';

export const rescheduleMessageContract = contract({
  summary: 'Change the time of a scheduled message',
  description:
    'Everything else about the message stays as it was accepted. 409 `conflict` if it was sent without `sendAt`, or its sending has begun.',
  example: { sendAt: exampleSendTime },
  status: 200,
  path: z.object({ id: z.string() }),
  body: z.object({
    sendAt: instantText.describe(
      `The new time, in ISO 8601, from 1 minute to ${mostAheadDays} days ahead, in UTC where it has no offset.`,
    ),
  }),
  reply: message,
  replyExample: { ...exampleMessage, status: 'queued', scheduledAt: '2026-11-21T03:00:00.000Z', sentAt: null },
  refuses: ['invalid_request', 'message_not_found', 'conflict'],
  refusesWhen: { conflict: 'The message was sent without `sendAt`, or its sending has begun.' },
});
