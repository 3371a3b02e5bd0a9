import * as live from '../../../shared/live.ts';
import { streamReader } from '../../../shared/work/stream-reader.ts';
import { publishEvents } from './handler.ts';

export const handler = streamReader(
  publishEvents({
    messages: live.messages(),
    webhooks: live.webhooks(),
    events: live.events(),
    webhookDeliveriesQueue: live.webhookDeliveriesQueue(),
  }),
);
