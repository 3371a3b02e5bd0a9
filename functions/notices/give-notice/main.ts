import { setting } from '../../../shared/kit/setting.ts';
import * as live from '../../../shared/live.ts';
import { noticeJob } from '../../../shared/notices/notice-job.ts';
import { retryWaits } from '../../../shared/webhooks/retries.ts';
import { backingOff } from '../../../shared/work/back-off.ts';
import { groupWorker } from '../../../shared/work/queue-worker.ts';
import { giveNotice, groupOf } from './handler.ts';

export const handler = backingOff(
  live.redelivery(),
  groupWorker(
    noticeJob,
    groupOf,
    giveNotice({
      accounts: live.accounts(),
      sessions: live.sessions(),
      payments: live.payments(),
      refunds: live.refunds(),
      methods: live.methods(),
      sends: live.sends(),
      messages: live.messages(),
      webhooks: live.webhooks(),
      rates: live.rates(),
      deliveries: live.deliveries(),
      checkoutWebhooks: live.checkoutWebhooks(),
      checkoutEvents: live.checkoutEvents(),
      webhookDeliveriesQueue: live.webhookDeliveriesQueue(),
      email: live.email(),
      signIns: live.signIns(),
      members: live.members(),
      addresses: live.checkoutAddresses(),
      platformAddress: setting('PLATFORM_EMAIL'),
      peopleAddress: setting('PEOPLE_EMAIL'),
      baseUrl: setting('PUBLIC_BASE_URL'),
      waits: retryWaits.parse(setting('WEBHOOK_RETRY_DELAYS')),
      clock: Date.now,
    }),
  ),
);
