import * as live from '../../../shared/live.ts';
import { streamReader } from '../../../shared/work/stream-reader.ts';
import { publishCheckoutEvents } from './handler.ts';

export const handler = streamReader(
  publishCheckoutEvents({
    sessions: live.sessions(),
    payments: live.payments(),
    refunds: live.refunds(),
    checkoutWebhooks: live.checkoutWebhooks(),
    events: live.events(),
    webhookDeliveriesQueue: live.webhookDeliveriesQueue(),
  }),
);
