import { callersOf } from 'virtual:callers';
import { endpoint } from '../../../shared/http/endpoint.ts';
import { setting } from '../../../shared/kit/setting.ts';
import * as live from '../../../shared/live.ts';
import { retryWaits } from '../../../shared/webhooks/retries.ts';
import { listDeliveriesContract } from './contract.ts';
import { listDeliveries } from './handler.ts';

export const handler = endpoint(
  listDeliveriesContract,
  listDeliveries({
    accounts: live.accounts(),
    webhooks: live.allWebhooks(),
    deliveries: live.deliveries(),
    waits: retryWaits.parse(setting('WEBHOOK_RETRY_DELAYS')),
  }),
  callersOf('webhooks/list-deliveries'),
);
