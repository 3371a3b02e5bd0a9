import * as z from 'zod';
import { contract } from '../../../shared/http/contract.ts';
import { integerText } from '../../../shared/http/fields.ts';
import { isId } from '../../../shared/kit/id.ts';
import { deliveryRecord } from '../../../shared/webhooks/delivery.ts';

export const listDeliveriesContract = contract({
  summary: 'List the deliveries of a webhook subscription with their attempts',
  description: 'Newest first. The request bodies are omitted, because they contain personal data.',
  status: 200,
  path: z.object({ id: z.string(), webhookId: z.string() }),
  query: z.object({
    limit: integerText({ from: 1, to: 100 }).default(20),
    cursor: z.string().refine(isId, 'must be the pagination.cursor of a previous page').optional(),
  }),
  reply: z.array(deliveryRecord),
  beside: z.object({ pagination: z.object({ cursor: z.string().nullable(), hasMore: z.boolean() }) }),
  refuses: ['invalid_request', 'account_not_found', 'webhook_not_found'],
});
