import * as z from 'zod';
import { contract } from '../../../shared/http/contract.ts';
import { cursorPagination, cursorQuery } from '../../../shared/http/cursor.ts';
import { instantText } from '../../../shared/http/fields.ts';
import { channels, listedStatuses, message } from '../../../shared/messages/message.ts';
import { addressText } from '../../../shared/messages/recipient.ts';

export const listMessagesContract = contract({
  summary: 'List messages, newest first',
  description:
    'Returns every message of the account, including those of campaigns and automations. There is no filter for `tags`. With `to` or `status`, a message can be missing in the list for a moment after it was accepted or its status has changed. A page ends before it has `limit` rows, with `hasMore`, where they have more than 2.5 MB of `metadata` and `tags`. With `to` and `status`, it also ends after 50 messages to that address (or `limit`, if that is more), with `to` and `channel` after 200, with the `status` `sending`, `sent` or `delivered` after 1,000, and may be empty: go on with its cursor.',
  status: 200,
  query: z.object({
    channel: z.enum(channels).optional(),
    status: z
      .enum(listedStatuses)
      .meta({ examples: ['sent'] })
      .optional(),
    to: addressText
      .optional()
      .describe(
        'Only messages to this whole address: an email in any letter case, or a phone number with or without its `+`. Messages that were accepted before this filter existed are not found by it.',
      ),
    createdAfter: instantText.optional().describe('ISO 8601; created at or after.'),
    createdBefore: instantText.optional().describe('ISO 8601; created at or before.'),
    ...cursorQuery({ defaultLimit: 20 }),
  }),
  reply: z.array(message),
  beside: z.object({ pagination: cursorPagination }),
  refuses: ['invalid_request'],
});
