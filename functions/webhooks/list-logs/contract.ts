import * as z from 'zod';
import { contract } from '../../../shared/http/contract.ts';
import { integerText } from '../../../shared/http/fields.ts';
import { grouped } from '../../../shared/kit/grouped.ts';
import { logRow, mostLogMegabytes, mostLogRows } from '../../../shared/webhooks/log-row.ts';

export const listLogsContract = contract({
  summary: 'List the delivery logs of a webhook subscription',
  description: `Newest first: one row for each delivery, kept for 30 days. Only the newest ${grouped(mostLogRows)} deliveries are counted and have pages, or fewer if the responses of their attempts are more than ${mostLogMegabytes} MB; \`GET /events\` lists every event. If a page has more than 6.2 MB, with each quote in it counted as two bytes, the response is 400 \`invalid_request\`: use a smaller \`limit\`.`,
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
