import * as z from 'zod';
import { contract } from '../../../shared/http/contract.ts';
import { instantText, integerText } from '../../../shared/http/fields.ts';
import { isId, newerExampleId } from '../../../shared/kit/id.ts';
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
    limit: integerText({ from: 1, to: 100 }).default(20),
    cursor: z
      .string()
      .refine(isId, 'must be the pagination.cursor of a previous page')
      .meta({ description: 'The `pagination.cursor` of the previous page.', examples: [newerExampleId] })
      .optional(),
  }),
  reply: z.array(message),
  beside: z.object({
    pagination: z
      .object({ cursor: z.string().nullable().describe('Null on the last page.'), hasMore: z.boolean() })
      .meta({ examples: [{ cursor: null, hasMore: false }] }),
  }),
  refuses: ['invalid_request'],
});
