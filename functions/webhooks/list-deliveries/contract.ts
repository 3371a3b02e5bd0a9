import * as z from 'zod';
import { contract } from '../../../shared/http/contract.ts';
import { cursorPagination, cursorQuery } from '../../../shared/http/cursor.ts';
import { deliveryStates } from '../../../shared/webhooks/delivery.ts';
import { deliveryRecord } from '../../../shared/webhooks/delivery-record.ts';

export const listDeliveriesContract = contract({
  summary: 'List the deliveries of a webhook subscription with their attempts',
  description:
    'Newest first. The request bodies are omitted, because they contain personal data. A page ends before it has `limit` rows, with `hasMore`, where the responses of the attempts are more than 2.5 MB, or few of many deliveries match the filters.',
  status: 200,
  path: z.object({ id: z.string(), webhookId: z.string() }),
  query: z.object({
    state: z.enum(deliveryStates).optional(),
    event: z.string().optional().describe('The name of an event.'),
    ...cursorQuery({ defaultLimit: 20 }),
  }),
  reply: z.array(deliveryRecord),
  beside: z.object({ pagination: cursorPagination }),
  refuses: ['invalid_request', 'account_not_found', 'webhook_not_found'],
});
