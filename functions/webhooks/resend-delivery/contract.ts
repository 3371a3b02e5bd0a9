import * as z from 'zod';
import { contract } from '../../../shared/http/contract.ts';
import { exampleId } from '../../../shared/kit/id.ts';

export const resendDeliveryContract = contract({
  summary: 'Resend a delivery to its webhook subscription',
  description:
    'Starts a new series of attempts with the same event id, regardless of the state of the delivery. A delivery counts once in the totals: as succeeded, if it ever succeeded. A test delivery cannot be resent.',
  status: 202,
  path: z.object({ id: z.string(), webhookId: z.string(), deliveryId: z.string() }),
  reply: z.object({
    id: z.string().meta({ examples: [exampleId] }),
    attempt: z
      .int()
      .describe('The number of the next attempt.')
      .meta({ examples: [6] }),
  }),
  refuses: ['invalid_request', 'account_not_found', 'delivery_not_found', 'webhook_not_found'],
});
