import * as live from '../../../shared/live.ts';
import { streamReader } from '../../../shared/work/stream-reader.ts';
import { publishCheckoutEvents } from './handler.ts';

export const handler = streamReader(
  publishCheckoutEvents({
    checkoutWebhooks: live.checkoutWebhooks(),
    events: live.events(),
    webhookEventsQueue: live.webhookEventsQueue(),
  }),
);
