import * as z from 'zod';
import { contract } from '../../../shared/http/contract.ts';
import { integerText } from '../../../shared/http/fields.ts';
import { logRow, mostLogMegabytes, mostLogRows } from '../../../shared/webhooks/delivery.ts';

export const listLogsContract = contract({
  summary: 'List the delivery logs of a webhook subscription',
  description: `Newest first; one row for each delivery, kept for 30 days. Of more than ${mostLogRows} deliveries, \`total\` is ${mostLogRows}, and the newest have pages; so have only the newest that fit, with the responses of their attempts, into ${mostLogMegabytes} MB; GET /events has the events of all. A page whose payloads are more than 2.5 MB in all is 400 \`invalid_request\`: read it with a smaller \`limit\`.`,
  status: 200,
  path: z.object({ id: z.string() }),
  query: z.object({
    page: integerText({ from: 1 }).default(1),
    limit: integerText({ from: 1, to: 100 }).default(20),
  }),
  reply: z.array(logRow),
  beside: z.object({
    total: z.int().meta({ examples: [1] }),
    page: z.int().meta({ examples: [1] }),
    limit: z.int().meta({ examples: [20] }),
    pages: z.int().meta({ examples: [1] }),
  }),
  refuses: ['invalid_request', 'webhook_not_found'],
});
