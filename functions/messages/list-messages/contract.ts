import * as z from 'zod';
import { contract } from '../../../shared/http/contract.ts';
import { cursorPagination, cursorQuery } from '../../../shared/http/cursor.ts';
import { instantText } from '../../../shared/http/fields.ts';
import { channels, listedStatuses, message } from '../../../shared/messages/message.ts';

export const listMessagesContract = contract({
  summary: 'List messages, newest first',
  description:
    'Returns every message of the account, including those of campaigns and automations. There is no filter for `tags`.',
  status: 200,
  query: z.object({
    channel: z.enum(channels).optional(),
    status: z
      .enum(listedStatuses)
      .meta({ examples: ['sent'] })
      .optional(),
    createdAfter: instantText.optional().describe('ISO 8601; created at or after.'),
    createdBefore: instantText.optional().describe('ISO 8601; created at or before.'),
    ...cursorQuery({ defaultLimit: 20 }),
  }),
  reply: z.array(message),
  beside: z.object({ pagination: cursorPagination }),
  refuses: ['invalid_request'],
});
