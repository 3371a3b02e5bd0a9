import { callersOf } from 'virtual:callers';
import { endpoint } from '../../../shared/http/endpoint.ts';
import * as live from '../../../shared/live.ts';
import { deleteCheckoutWebhookContract } from './contract.ts';
import { deleteCheckoutWebhook } from './handler.ts';

export const handler = endpoint(
  deleteCheckoutWebhookContract,
  deleteCheckoutWebhook({
    accounts: live.accounts(),
    checkoutWebhooks: live.checkoutWebhooks(),
    deletedWebhooksQueue: live.deletedWebhooksQueue(),
  }),
  callersOf('admin/delete-checkout-webhook'),
);
