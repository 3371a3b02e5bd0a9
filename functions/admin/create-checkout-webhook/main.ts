import { callersOf } from 'virtual:callers';
import { endpoint } from '../../../shared/http/endpoint.ts';
import { setting } from '../../../shared/kit/setting.ts';
import * as live from '../../../shared/live.ts';
import { createCheckoutWebhookContract } from './contract.ts';
import { createCheckoutWebhook } from './handler.ts';

export const handler = endpoint(
  createCheckoutWebhookContract,
  createCheckoutWebhook({
    accounts: live.accounts(),
    checkoutWebhooks: live.checkoutWebhooks(),
    allowsHttp: setting('WEBHOOK_TARGETS') === 'any',
  }),
  callersOf('admin/create-checkout-webhook'),
);
