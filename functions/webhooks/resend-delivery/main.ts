import { callersOf } from 'virtual:callers';
import { endpoint } from '../../../shared/http/endpoint.ts';
import * as live from '../../../shared/live.ts';
import { resendDeliveryContract } from './contract.ts';
import { resendDelivery } from './handler.ts';

export const handler = endpoint(
  resendDeliveryContract,
  resendDelivery({
    accounts: live.accounts(),
    webhooks: live.allWebhooks(),
    deliveries: live.deliveries(),
    webhookDeliveriesQueue: live.webhookDeliveriesQueue(),
  }),
  callersOf('webhooks/resend-delivery'),
);
