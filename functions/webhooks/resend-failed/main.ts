import { callersOf } from 'virtual:callers';
import { endpoint } from '../../../shared/http/endpoint.ts';
import * as live from '../../../shared/live.ts';
import { resendFailedContract } from './contract.ts';
import { resendFailed } from './handler.ts';

export const handler = endpoint(
  resendFailedContract,
  resendFailed({
    accounts: live.accounts(),
    webhooks: live.allWebhooks(),
    deliveries: live.deliveries(),
    webhookDeliveriesQueue: live.webhookDeliveriesQueue(),
  }),
  callersOf('webhooks/resend-failed'),
);
