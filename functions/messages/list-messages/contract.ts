import * as z from 'zod';
import { contract } from '../../../shared/http/contract.ts';
import { instantText, integerText } from '../../../shared/http/fields.ts';
import { isId } from '../../../shared/kit/id.ts';
import { channels, listedStatuses, message } from '../../../shared/messages/message.ts';

export const listMessagesContract = contract({
  summary: 'List messages, newest first',
  status: 200,
  query: z.object({
    channel: z.enum(channels).optional(),
    status: z.enum(listedStatuses).optional(),
    createdAfter: instantText.optional(),
    createdBefore: instantText.optional(),
    limit: integerText({ from: 1, to: 100 }).default(20),
    cursor: z.string().refine(isId, 'must be the pagination.cursor of the page before').optional(),
  }),
  reply: z.array(message),
  beside: z.object({ pagination: z.object({ cursor: z.string().nullable(), hasMore: z.boolean() }) }),
  refuses: ['invalid_request'],
});
