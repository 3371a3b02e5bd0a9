import { callersOf } from 'virtual:callers';
import { endpoint } from '../../../shared/http/endpoint.ts';
import * as live from '../../../shared/live.ts';
import { listCheckoutWebhooksContract } from './contract.ts';
import { listCheckoutWebhooks } from './handler.ts';

export const handler = endpoint(
  listCheckoutWebhooksContract,
  listCheckoutWebhooks({ accounts: live.accounts(), checkoutWebhooks: live.checkoutWebhooks() }),
  callersOf('admin/list-checkout-webhooks'),
);
