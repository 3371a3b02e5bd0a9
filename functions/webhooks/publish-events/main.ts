import * as live from '../../../shared/live.ts';
import { messageEventJob } from '../../../shared/messages/jobs.ts';
import { backingOff } from '../../../shared/work/back-off.ts';
import { groupWorker } from '../../../shared/work/queue-worker.ts';
import { groupOf, publishEvents } from './handler.ts';

export const handler = backingOff(
  live.redelivery(),
  groupWorker(
    messageEventJob,
    groupOf,
    publishEvents({
      accounts: live.accounts(),
      messages: live.messages(),
      webhooks: live.webhooks(),
      events: live.events(),
      webhookDeliveriesQueue: live.webhookDeliveriesQueue(),
    }),
  ),
);
