import * as z from 'zod';
import { contract } from '../../../shared/http/contract.ts';

const creditShards = z.literal([1, 2, 4, 8, 16, 32, 64]);
const messageShards = z.literal([1, 2, 4, 8, 16]);

export const raiseSpreadContract = contract({
  summary: 'Spread the traffic of a busy account over more of the table',
  description:
    'One item takes part in some 30 to 100 transactions a second, and one partition in about 1,000 writes a second. Both numbers double automatically when sends meet conflicts or are throttled; raise them before a large campaign. They cannot be lowered. Omitted fields are unchanged.',
  example: { creditShards: 16, messageShards: 4 },
  status: 200,
  path: z.object({ id: z.string() }),
  body: z
    .object({
      creditShards: creditShards.describe('The number of items that hold the account’s credits.'),
      messageShards: messageShards.describe(
        'The number of partitions for new messages of each channel. It applies two minutes later, on accounts of the previous release an hour later.',
      ),
    })
    .partial(),
  reply: z
    .object({ creditShards: z.int().meta({ examples: [16] }), messageShards: z.int().meta({ examples: [4] }) })
    .describe('The numbers after the change, also of messages.'),
  refuses: ['invalid_request', 'account_not_found'],
});
