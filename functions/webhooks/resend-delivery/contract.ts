import * as z from 'zod';
import { contract } from '../../../shared/http/contract.ts';

export const resendDeliveryContract = contract({
  summary: 'Deliver an event to a webhook subscription again',
  description:
    'A fresh round of attempts with the same event id, whatever state the delivery is in. A delivery counts once, as succeeded if it ever was. Tests are not sent again.',
  status: 202,
  path: z.object({ id: z.string(), webhookId: z.string(), deliveryId: z.string() }),
  reply: z.object({ id: z.string(), attempt: z.int().describe('The number of the attempt that comes next.') }),
  refuses: ['invalid_request', 'not_found', 'webhook_not_found'],
});
